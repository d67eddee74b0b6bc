"""The virtual phone's screen as a video: the scrcpy server and ``screenrecord``."""
