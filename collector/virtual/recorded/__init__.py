"""Recorded trajectories played as apps: their screenshots and trees, and where recorded actions lead."""
