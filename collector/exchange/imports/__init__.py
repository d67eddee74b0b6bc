"""Imports: trajectories, rules, essential states and variations of a source, written into a project."""
