"""``waymark project``, a module a verb or two."""
