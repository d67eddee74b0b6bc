"""Declarative command tables that feed menus, palette, shortcuts, tooltips and docs. No Qt."""
