"""Edit recorded trajectories: split, join, trim, insert, replace a screen; what it comes to is said first."""
