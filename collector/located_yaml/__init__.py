"""YAML that knows where each value stands, diagnostics, quick fixes, and the one safe-load policy."""
