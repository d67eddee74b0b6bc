"""Widgets that compose an experiment: its size and progress, rows with check boxes, and chips."""
