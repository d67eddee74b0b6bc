"""Releases of the program: which one is the newest, asked only when a person wants to know."""
