"""Solvability checks in the window: their setup, progress and matrix, and the details of each trial."""
