"""Whether a task was done: its success rule, else a comparison with the last recorded state."""
