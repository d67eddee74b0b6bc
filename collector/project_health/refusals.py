"""Answers that refuse, in English and Chinese."""

from __future__ import annotations

import re

_ENGLISH = (
    r"\bI(?:'m| am) (?:sorry|unable|not able|not allowed|afraid)\b",
    r"\bI (?:can't|can ?not|could not|couldn't|won't|will not|must decline|refuse)\b",
    r"\b(?:unable|not able|impossible) to\b",
    r"\bas an AI\b",
    r"\bagainst (?:my|the) (?:policy|policies|guidelines|rules)\b",
    r"\b(?:cannot|can't|could not|couldn't) (?:be (?:done|completed)|complete|help|assist|find|do|proceed)\b",
)
_CHINESE = (
    "抱歉",
    "对不起",
    "無法",
    "无法",
    "不能完成",
    "做不到",
    "没有办法",
    "沒有辦法",
    "不允许",
    "拒绝",
    "我不能",
    "我不会",
)
_REFUSAL = re.compile("|".join((*_ENGLISH, *_CHINESE)), re.IGNORECASE)


def refusal_in(text: str) -> str:
    """The words by which an answer refuses; empty when it does not."""
    found = _REFUSAL.search(text.replace("\u2019", "'"))
    return found[0] if found is not None else ""
