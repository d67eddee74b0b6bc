"""Reasons that files store as text: shown in the language in use."""
