"""``waymark variations``, a module a verb or two."""
