"""Cells of a CSV file that a table program opens."""

from __future__ import annotations

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def plain_cell(text: str) -> str:
    """A cell that no table program takes for a formula."""
    return f"'{text}" if text.startswith(_FORMULA) else text
