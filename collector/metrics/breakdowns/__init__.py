"""What numbers are broken down by: dimensions, and the groups of episodes that share their values."""
