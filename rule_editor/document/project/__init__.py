"""The rule files of a project opened together: reading, renaming of ids and undo across them."""
