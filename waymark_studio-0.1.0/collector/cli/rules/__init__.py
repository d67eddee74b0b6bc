"""``waymark rules``, a module a verb or two."""
