"""The tasks of the open project: their table and their dialog."""
