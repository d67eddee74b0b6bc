"""Frozen value types, errors, translation and events that every package shares; standard library only."""
