"""Parts of texts that differ from one recording to the next: clocks, dates, ages, and numbers of orders."""

from __future__ import annotations

import re

_DAYS = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*"
_MONTHS = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
_VOLATILE = re.compile(
    "|".join(
        (
            r"\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[ap]\.?m\b\.?)?",
            r"\b\d{4}-\d{1,2}-\d{1,2}\b",
            r"\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b",
            rf"\b{_DAYS},? (?:\d|{_MONTHS})",
            rf"\b{_MONTHS}\.? \d{{1,2}}\b",
            rf"\b\d{{1,2}}\.? {_MONTHS}\b",
            r"\d{1,2}月\d{1,2}日|星期[一二三四五六日天]|周[一二三四五六日]",
            r"\b\d+\s?(?:s|sec|seconds?|m|min|minutes?|h|hours?|d|days?|weeks?)\s+ago\b",
            r"\bjust now\b|\d+\s?(?:秒|分钟|小时|天)前|刚刚",
            r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]*",
            r"\b(?=[a-z]*\d)[0-9a-f]{10,}\b",
            r"\d{6,}",
            r"#\d{3,}",
            r"\b[A-Z]{1,4}-\d{3,}\b",
        )
    ),
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_EDGES = " ,.:;()·-–—#$€¥£%"
_SHORTEST = 3


def is_volatile(text: str, instruction: str = "") -> bool:
    """Whether a part of a text will be another one next time; what the instruction asks for will not."""
    wanted = instruction.casefold()
    return any(match[0].strip().casefold() not in wanted for match in _VOLATILE.finditer(text))


def has_numbers(text: str) -> bool:
    """Whether a text has a number in it, which may be a price or a count."""
    return _NUMBER.search(text) is not None


def lasting_part(text: str) -> str:
    """The longest part of a text between its numbers and clocks; empty when it is short or the whole."""
    pieces = _NUMBER.split(_VOLATILE.sub("0", text))
    best = max((piece.strip(_EDGES) for piece in pieces), key=len, default="")
    return best if _SHORTEST <= len(best) < len(text) and best in text else ""


def lasting_pattern(text: str) -> str:
    """A regular expression for a text with any numbers in it; empty when nothing but numbers is left."""
    if not has_numbers(text) or _VOLATILE.search(text) is not None or not lasting_part(text):
        return ""
    parts = (re.escape(piece).replace("\\ ", " ") for piece in _NUMBER.split(text))
    return "^" + "[0-9][0-9.,]*".join(parts) + "$"
