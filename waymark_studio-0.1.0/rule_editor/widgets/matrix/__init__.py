"""The back-test matrix: trajectories by steps, the outcome of the rule at each, and its explanation."""
