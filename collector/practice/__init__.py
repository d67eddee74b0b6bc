"""Recorded trajectories as a phone to practise on: the graph of their screens, and what is covered of it."""
