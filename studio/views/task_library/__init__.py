"""The studio's own tasks in the window."""
