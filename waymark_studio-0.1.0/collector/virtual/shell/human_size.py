"""Sizes for people, as toybox prints them."""

from __future__ import annotations


def human_size(size: float) -> str:
    """At most four characters: ``512``, ``3.1M``, ``91M``, ``13G``."""
    for unit in ("", "K", "M", "G", "T"):
        if round(size) < 1000:
            return f"{size:.1f}{unit}" if size < 10 and unit else f"{size:.0f}{unit}"
        size /= 1024
    return f"{size:.0f}P"
