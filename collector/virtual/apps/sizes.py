"""Sizes of files as apps show them."""

from __future__ import annotations

_UNITS = ("kB", "MB", "GB")


def file_size(size: int) -> str:
    """``512 B``, ``48.23 kB``, ``1.30 MB``: powers of 1000, as ``Formatter.formatFileSize`` has it."""
    amount, unit = float(size), "B"
    for larger in _UNITS:
        if amount <= 900:
            break
        amount, unit = amount / 1000, larger
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.2f} {unit}"
