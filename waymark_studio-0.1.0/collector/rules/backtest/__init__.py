"""Try rules on all recorded states at once, with misfires and the effect of other thresholds."""
