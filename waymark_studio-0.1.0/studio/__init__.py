"""The Qt shell: the window in which the collector and the rule editor meet a person."""
