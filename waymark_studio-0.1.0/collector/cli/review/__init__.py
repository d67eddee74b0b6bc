"""``waymark review``, a module a verb or two."""
