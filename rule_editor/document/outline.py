"""The rules of a document as a list shows them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collector.located_yaml.diagnostics import Diagnostic, Place, Severity
from rule_editor.document.reading import Entry

_WEIGHT = {Severity.INFO: 1, Severity.WARNING: 2, Severity.ERROR: 3}


@dataclass(frozen=True, slots=True)
class OutlineEntry:
    """One rule; ``key`` is what edits name it by, which is its id unless it has none or shares it.

    ``severity`` is the worst of the findings in its lines, None when there are none; ``sound`` is
    False when the entry cannot be read and so not be edited but as text.
    """

    key: str
    id: str
    kind: str
    place: Place
    sound: bool
    severity: Severity | None
    findings: int


def outline(
    entries: Sequence[Entry], kind: str, text: str, found: Iterable[Diagnostic]
) -> tuple[OutlineEntry, ...]:
    """Every rule in the order of the file ``text``; ``found`` is all that is wrong in it."""
    starts = [entry.start for entry in entries]
    told: list[list[Diagnostic]] = [[] for _entry in entries]
    for one in found:
        at = bisect_right(starts, one.place.start) - 1
        if at >= 0:
            told[at].append(one)
    return tuple(
        OutlineEntry(
            entry.key,
            entry.rule.id if entry.rule is not None else "",
            kind,
            entry.rule.place if entry.rule is not None else _place(text, entry.start, entry.end),
            entry.rule is not None and entry.node is not None,
            max((finding.severity for finding in findings), key=_WEIGHT.__getitem__, default=None),
            len(findings),
        )
        for entry, findings in zip(entries, told, strict=True)
    )


def _place(text: str, start: int, end: int) -> Place:
    line_start = text.rfind("\n", 0, start) + 1
    return Place(start, end, text.count("\n", 0, start) + 1, start - line_start + 1)
