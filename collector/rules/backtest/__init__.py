"""Evaluate rules on everything recorded at once: dumps as columns, verdicts as columns, misfires."""
