"""The commands, one table per workspace: id, title, tooltip, keys, when-clause, icon, menu and toolbar."""
