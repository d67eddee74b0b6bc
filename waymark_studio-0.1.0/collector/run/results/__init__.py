"""What a run has come to, for people: the grid of its cells, success rates, and the log of an episode."""
