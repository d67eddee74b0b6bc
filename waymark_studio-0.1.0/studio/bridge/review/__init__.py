"""Reviews behind the window: the work of a reviewer, labels, verdicts, alignment and comparisons."""
