"""Align two to four trajectories by screen and action, and say where and why they differ."""
