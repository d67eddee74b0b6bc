"""What is known of the steps of reviewed trajectories: an index of each, and filters over their slots."""
