"""Judge whether a task was done: by its success rule, or by the last recorded state."""
