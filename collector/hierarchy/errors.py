"""What can go wrong with a dump or a selector that a person can mend."""

from __future__ import annotations

from collector.model.errors import UserError


class HierarchyError(UserError):
    """A dump nothing can be read from."""


class SelectorError(UserError):
    """A selector or XPath that cannot be understood."""
