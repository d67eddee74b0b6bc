"""Edits of stored trajectories, from the timelines of Record, States and Review alike."""
