"""``waymark trajectory``, a module a verb or two."""
