"""The outline of a rule file: its rules with their places and worst severities."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector.located_yaml.diagnostics import Diagnostic, Place, Severity
from rule_editor.document.entries.entry import FileEntry

_WEIGHT = {Severity.INFO: 1, Severity.WARNING: 2, Severity.ERROR: 3}


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One rule; ``key`` names it in edits (see :class:`~rule_editor.document.entries.entry.ParsedFile`).

    ``severity`` is the worst one of the diagnostics in its lines, None without diagnostics.
    ``readable`` is False for an entry that can only be edited as text.
    """

    key: str
    id: str
    kind: str
    place: Place
    readable: bool
    severity: Severity | None


def outline(
    entries: Sequence[FileEntry], kind: str, text: str, diagnostics: Iterable[Diagnostic]
) -> tuple[OutlineEntry, ...]:
    """Every rule in the order of the file ``text``, with its share of ``diagnostics``."""
    starts = [entry.start for entry in entries]
    by_entry: list[list[Diagnostic]] = [[] for _entry in entries]
    for diagnostic in diagnostics:
        at = bisect_right(starts, diagnostic.place.start) - 1
        if at >= 0:
            by_entry[at].append(diagnostic)
    return tuple(
        OutlineEntry(
            entry.key,
            entry.rule.id if entry.rule is not None else "",
            kind,
            entry.rule.place if entry.rule is not None else _place(text, entry.start, entry.end),
            entry.rule is not None and entry.node is not None,
            max((diagnostic.severity for diagnostic in own), key=_WEIGHT.__getitem__, default=None),
        )
        for entry, own in zip(entries, by_entry, strict=True)
    )


def _place(text: str, start: int, end: int) -> Place:
    line_start = text.rfind("\n", 0, start) + 1
    return Place(start, end, text.count("\n", 0, start) + 1, start - line_start + 1)
