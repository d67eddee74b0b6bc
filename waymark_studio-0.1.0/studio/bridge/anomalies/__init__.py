"""Injecting from the window: anomalies, rehearsals, solvability checks, and the way back after them."""
