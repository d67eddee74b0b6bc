"""Formats of others, one descriptor each behind one registry; imports and exports report what is lost."""
