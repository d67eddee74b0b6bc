"""Edits that can be undone, and edits of two people put together."""
