"""How data sets are divided."""
