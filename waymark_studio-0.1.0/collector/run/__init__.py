"""Runs of agents: the experiment and its matrix, the cycle of an episode, phones, workers and the runner."""
