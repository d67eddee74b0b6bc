"""The graph of a task's essential states over the film strip of a trajectory."""
