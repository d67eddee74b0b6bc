"""The log of an episode: what happened in each step, in words."""
