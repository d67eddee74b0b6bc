"""The tree of the screen on show: found, walked, read and copied from."""
