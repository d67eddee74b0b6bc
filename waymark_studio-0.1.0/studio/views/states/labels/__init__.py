"""The tab Labels: what a person says of the trajectories of a task."""
