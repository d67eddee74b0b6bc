"""``waymark record``: record tasks without a window."""
