"""The rule files of a project opened together, and renaming of ids across them."""
