"""Formats in which trajectories are looked at and evaluated: ATIF, Inspect, MLflow, Rerun, tables."""
