"""``waymark task``, a module a verb or two."""
