"""Conversions between the four types of XPath: node-sets, texts, numbers and booleans."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from enum import Enum

from collector.hierarchy.xpath.document import AttributeNode, Member

_NUMBER = re.compile(r"[ \t\r\n]*(-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+))[ \t\r\n]*")
_LONGEST_NUMBER = 1000
"""A longer text is no number."""


class Kind(Enum):
    """The type of an expression, which is known without evaluating it."""

    NODES = "nodes"
    TEXT = "text"
    NUMBER = "number"
    BOOLEAN = "boolean"


def text_of_member(member: Member) -> str:
    """The string-value: of an attribute its value; an element of a screen has no text between its tags."""
    return member.value if isinstance(member, AttributeNode) else ""


def number_of_text(text: str) -> float:
    """NaN for a text that is no number. Numbers have no exponent."""
    match = _NUMBER.fullmatch(text) if len(text) <= _LONGEST_NUMBER else None
    return float(match[1]) if match is not None else math.nan


def text_of_number(number: float) -> str:
    """The shortest decimal without an exponent that is this number."""
    if math.isnan(number):
        return "NaN"
    if math.isinf(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == int(number):
        return str(int(number))
    return _without_exponent(repr(number))


def _without_exponent(written: str) -> str:
    """``1.5e-07`` as ``0.00000015``; fractions alone come here, so that the exponent is negative."""
    digits, sign, exponent = written.partition("e-")
    if not sign:
        return written
    minus = "-" * digits.startswith("-")
    return f"{minus}0.{'0' * (int(exponent) - 1)}{digits.strip('-').replace('.', '')}"


def text_of_boolean(value: bool) -> str:
    """``true`` or ``false``."""
    return "true" if value else "false"


def boolean_of_number(number: float) -> bool:
    """False for zero and NaN."""
    return bool(number) and not math.isnan(number)


def in_document_order(members: Iterable[Member]) -> list[Member]:
    """Each member once; attributes come after their element."""
    unique = set(members)
    if all(isinstance(member, int) for member in unique):
        return sorted(unique)
    return sorted(unique, key=_place)


def _place(member: Member) -> tuple[int, str]:
    return (member, "") if isinstance(member, int) else (member.owner, member.name)
