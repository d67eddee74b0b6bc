"""The phones of the Record workspace: the mirror of the one in front, the tabs and tiles of the others."""
