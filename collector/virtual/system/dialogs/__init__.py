"""Dialogs of the system: what asks, and who receives the answer."""
