"""YAML with the place of each value, diagnostics, quick fixes, and the one safe-load policy."""
