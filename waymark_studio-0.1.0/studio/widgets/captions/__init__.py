"""Texts of tasks, steps, nodes, interruptions and verdicts, as every view words them."""
