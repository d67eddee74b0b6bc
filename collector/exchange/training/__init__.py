"""Samples to train agents with: what was recorded, as a model is asked and as it answers in its dialect."""
