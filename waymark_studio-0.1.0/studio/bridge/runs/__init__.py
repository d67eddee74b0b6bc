"""Experiments and runs behind the window: the runner's process, attachment to it, trust and logs."""
