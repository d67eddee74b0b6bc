"""Diagnostics of a text in a file: what is wrong, where, and quick fixes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from collector.model.errors import problem_text


class Severity(StrEnum):
    """How serious a diagnostic is; an ERROR means a rule cannot do what it says."""

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
    """Replace characters ``start`` to ``end`` of a text by ``text``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class QuickFix:
    """One way to fix a diagnostic. The edits belong to the same file and do not overlap."""

    title: str
    edits: tuple[TextEdit, ...]


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One thing wrong with a text. ``code`` never changes (see :mod:`collector.located_yaml.codes`)."""

    code: str
    severity: Severity
    place: Place
    what: str
    why: str = ""
    to_do: str = ""
    rule_id: str = ""
    path: str = ""
    """The file, as the caller named it; empty for a text that is in no file."""
    fixes: tuple[QuickFix, ...] = ()

    @property
    def sentence(self) -> str:
        return problem_text(self.what, self.why, self.to_do)


def apply_edits(text: str, edits: tuple[TextEdit, ...]) -> str:
    """``text`` after all edits. Raises ValueError when two of them overlap."""
    at = 0
    parts: list[str] = []
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start < at:
            raise ValueError("edits overlap")
        parts += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join(parts) + text[at:]


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether one of the diagnostics is an error."""
    return any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics)
