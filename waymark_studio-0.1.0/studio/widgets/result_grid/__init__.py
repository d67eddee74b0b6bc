"""Results of an experiment: the painted grid of its cells, the list of its episodes, and success rates."""
