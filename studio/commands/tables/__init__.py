"""The commands, one table a workspace: id, title, tooltip, keys, when-clause, icon, menu and toolbar."""
