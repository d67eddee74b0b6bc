"""Judges by models: what each method asks of a trajectory, and the answers, read strictly and kept."""
