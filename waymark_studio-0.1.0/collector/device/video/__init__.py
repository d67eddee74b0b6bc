"""The phone's picture: the scrcpy stream, screenrecord and screencap, decoding, limits, motion."""
