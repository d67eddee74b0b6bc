"""``waymark anomaly``, a module a verb or two."""
