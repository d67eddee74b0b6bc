"""The Rules workspace: a screen, a rule as form and as YAML, and where it holds in everything recorded."""
