"""Suggest essential states from golden trajectories and from success rules."""
