"""Compare recorded trajectories: steps side by side, what differs between two screens, an index of steps."""
