"""Texts as people and programs read them: characters, single lines, cells of a table."""
