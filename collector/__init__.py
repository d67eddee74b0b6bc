"""Waymark's library: devices, trajectories, rules and exchange, with no Qt anywhere."""
