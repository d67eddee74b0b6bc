"""``waymark agent``, a module a verb or two."""
