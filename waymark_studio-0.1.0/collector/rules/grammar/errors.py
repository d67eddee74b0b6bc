"""The error for rules that a person can correct."""

from __future__ import annotations

from collector.model.errors import UserError


class RuleError(UserError):
    """A rule, a rule file or something it names cannot be used."""
