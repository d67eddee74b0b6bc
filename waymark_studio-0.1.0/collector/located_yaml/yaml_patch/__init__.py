"""Patch YAML text: change one value and leave all other characters, comments and layout as they are."""
