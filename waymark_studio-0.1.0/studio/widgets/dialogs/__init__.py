"""Dialogs: their frame, questions for a text or a file, judging, and shortcuts."""
