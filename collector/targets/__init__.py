"""Targets of tasks: read them, apply them to the data of apps, and compare what came of it."""
