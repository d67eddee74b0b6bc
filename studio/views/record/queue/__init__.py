"""The queue of tasks: its rows, its panel, and what is said while it is empty."""
