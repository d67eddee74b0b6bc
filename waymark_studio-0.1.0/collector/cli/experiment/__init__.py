"""``waymark experiment``, a module a verb or two."""
