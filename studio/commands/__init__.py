"""What a person can do, as data: one table feeds menus, palette, keys, tooltips, docs and tests. No Qt."""
