"""The Review workspace: trajectories side by side on one timeline, with verdicts."""
