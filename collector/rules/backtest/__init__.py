"""Try rules on all recorded states at once: dumps and verdicts as columns, misfires, other thresholds."""
