"""Statistics of metrics: intervals, tests for pairs, bootstrap, rank agreement and sample sizes."""
