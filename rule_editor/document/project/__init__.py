"""The rule files of a project opened together: renaming of ids and undo across them."""
