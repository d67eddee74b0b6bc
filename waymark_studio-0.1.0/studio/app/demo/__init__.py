"""``waymark demo``: the window on the sample project, or a scripted tour of it by real input events."""
