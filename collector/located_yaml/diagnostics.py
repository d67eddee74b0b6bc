"""What is wrong with a rule file, where, and what a click would mend."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from collector.model.i18n import join_sentences


class Severity(StrEnum):
    """How much a diagnostic weighs; an ERROR means a rule cannot do what it says."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """Characters ``start`` to ``end`` of a text; ``line`` and ``column`` of its start count from 1."""

    start: int = 0
    end: int = 0
    line: int = 1
    column: int = 1


NOWHERE = Place()


@dataclass(frozen=True, slots=True)
class TextEdit:
    """Characters ``start`` to ``end`` of a text become ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class QuickFix:
    """One way to mend a diagnostic. The edits do not overlap and belong to the diagnostic's own file."""

    title: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding. ``code`` is stable for ever (see :mod:`collector.located_yaml.codes`)."""

    code: str
    severity: Severity
    place: Place
    what: str
    why: str = ""
    to_do: str = ""
    rule_id: str = ""
    path: str = ""
    """File it was found in, as it was given; empty for a text that is in no file."""
    fixes: tuple[QuickFix, ...] = ()

    @property
    def sentence(self) -> str:
        return join_sentences(self.what, self.why, self.to_do)


def apply_edits(text: str, edits: tuple[TextEdit, ...]) -> str:
    """``text`` with all edits made. Raises ValueError when two of them overlap."""
    at = 0
    parts: list[str] = []
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if edit.start < at:
            raise ValueError("edits overlap")
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join(parts) + text[at:]
