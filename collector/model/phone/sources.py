"""The names of the sources of pictures and trees, the best first."""

FRAME_SOURCES = ("scrcpy", "screenrecord", "screencap")
TREE_SOURCES = ("uiautomator2", "uiautomator")
