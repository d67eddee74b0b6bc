"""Builtins of the shell."""
