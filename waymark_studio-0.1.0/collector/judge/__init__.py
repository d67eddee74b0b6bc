"""Judges of trajectories: their registry, the one by rules, verdicts of people, and how far all agree."""
