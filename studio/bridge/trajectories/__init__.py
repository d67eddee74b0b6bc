"""The stored trajectories of the open project behind the window: read, followed, edited and redacted."""
