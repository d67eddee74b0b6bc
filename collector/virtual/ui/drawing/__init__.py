"""The pixels of the phone's screens: a laid-out scene drawn with skia, with its icons and pictures."""
