"""Proposals, definitions and audits as values, and as YAML documents."""
