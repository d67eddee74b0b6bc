"""Buttons and menus that run commands, and say why one cannot be run."""
