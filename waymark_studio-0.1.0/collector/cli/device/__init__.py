"""``waymark device``, a module a verb or two."""
