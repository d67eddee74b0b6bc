"""Injecting, wherever the person is: one palette, one badge and the questions, for the whole window."""
