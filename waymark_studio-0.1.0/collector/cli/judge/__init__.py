"""``waymark judge``, a module a verb or two."""
