"""Numbers from episodes: the papers' metrics with intervals, pairs and comparisons, computed over columns."""
