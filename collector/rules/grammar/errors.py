"""What can go wrong with rules that a person can mend."""

from __future__ import annotations

from collector.model.errors import UserError


class RuleError(UserError):
    """A rule, a file of rules or what one names cannot be used."""
