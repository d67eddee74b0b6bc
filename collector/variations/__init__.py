"""Variations of the virtual phone: their files, their names, and combinations of them."""
