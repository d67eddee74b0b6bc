"""Experiments: their files, their matrix of cells, and what a run of them will take."""
