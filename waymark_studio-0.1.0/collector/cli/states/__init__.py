"""``waymark states``, a module a verb or two."""
