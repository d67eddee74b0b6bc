"""The answer a task expects of an agent, and the rule by which an answer is compared with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.i18n import _

EXACT, NUMBER, CONTAINS, ANY_OF, REGEX = "exact", "number", "contains", "any of", "regex"
_NUMBER = re.compile(r"[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?")
MATCHING_RULES = (EXACT, NUMBER, CONTAINS, ANY_OF, REGEX)
"""How an answer is compared: the same text, the same number, a part of it, one of several, a pattern."""


@dataclass(frozen=True, slots=True)
class ExpectedAnswer:
    """What a task that asks for information wants to hear."""

    texts: tuple[str, ...]
    """One text; several of the rule ``any of``."""
    rule: str = EXACT
    """One of MATCHING_RULES; a file may name another, which :mod:`collector.store.checks.check` reports."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    """Other keys of its mapping, such as a unit."""

    @property
    def summary(self) -> str:
        """The texts on one line, as in ``42`` or ``red | blue``."""
        return " | ".join(self.texts)


def problem_of_answer(answer: ExpectedAnswer) -> str:
    """Return why no answer could match, in a sentence; empty when one could."""
    for text in answer.texts:
        if not text.strip():
            return _("it is empty")
        if answer.rule == NUMBER and not (_NUMBER.fullmatch(text.strip()) and re.search(r"\d", text)):
            return _("{text} is no number", text=text)
        if answer.rule == REGEX:
            try:
                re.compile(text)
            except re.error as error:
                return _("{text} is no regular expression ({why})", text=text, why=error)
    return ""
