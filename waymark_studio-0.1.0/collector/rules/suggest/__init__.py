"""Suggest conditions for clicked nodes, and rules for whole trajectories, each with a reason."""
