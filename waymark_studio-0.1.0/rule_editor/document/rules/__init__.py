"""A rule file being edited: rules, their conditions and actions."""
