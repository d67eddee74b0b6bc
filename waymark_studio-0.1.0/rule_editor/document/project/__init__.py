"""The rule files of a project opened together: reading, and renaming of ids across them."""
