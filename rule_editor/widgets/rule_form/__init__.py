"""A rule as a form: its fields, its conditions with live ticks, and what it injects."""
