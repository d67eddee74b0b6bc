"""``waymark metrics``, a module a verb or two."""
