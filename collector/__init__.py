"""Waymark's library: devices, trajectories, rules and exchange, with no Qt anywhere."""

__version__ = "1.0.0"
"""Version of Waymark Studio; pyproject.toml reads it here."""
