"""Record a golden trajectory of a task: what a window and the command line share."""
