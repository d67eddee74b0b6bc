"""The rule linter: checks of rules by themselves, within their project and against recordings."""
