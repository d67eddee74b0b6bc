"""The Metrics workspace: the papers' numbers in a pivot, as plots and pairs, each with its episodes."""
