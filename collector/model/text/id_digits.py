"""Digits of a text in ids: two people who name the same thing in copies of a project give it one id."""

from __future__ import annotations

import hashlib


def id_digits(text: str) -> str:
    """Return four hexadecimal digits that follow from ``text`` alone."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:4]
