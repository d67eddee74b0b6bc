"""Errors of dumps and selectors that a person can correct."""

from __future__ import annotations

from collector.model.errors import UserError


class HierarchyError(UserError):
    """No node can be read from a dump."""


class SelectorError(UserError):
    """A selector or XPath cannot be parsed."""
