"""The form of a rule: its fields, its conditions with live ticks, and its actions."""
