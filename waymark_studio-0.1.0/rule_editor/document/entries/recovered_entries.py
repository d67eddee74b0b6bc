"""Read the entries of a file that is not YAML: typing in it re-reads the broken entry alone.

Whether a quote left open is closed further down, only what follows the broken entry can tell. What stands
before it is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from collector.located_yaml.diagnostics import Diagnostic
from collector.located_yaml.entry_spans import EntryRecovery, Spans
from collector.located_yaml.safe_load import MAX_LOCATED_VALUES
from collector.located_yaml.source import syntax_diagnostic, syntax_error_without
from rule_editor.document.entries.entry import ParsedEntry
from rule_editor.document.entries.place_shifter import PlaceShifter

_ANCHOR = re.compile(r"(?<![^\s,\[\]{}:-])&\S")
Entry = TypeVar("Entry", bound=ParsedEntry)


class PlacedEntry(NamedTuple, Generic[Entry]):
    """One entry of a file: characters ``start`` to ``end``, which begin in ``line`` from 0."""

    start: int
    end: int
    line: int
    entry: Entry


@dataclass(frozen=True, slots=True)
class RecoveredEntries(Generic[Entry]):
    """The entries of a file that is not YAML."""

    list_name: str
    """Key of the list that holds them; empty for a mapping by key."""
    entries: tuple[PlacedEntry[Entry], ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    """Why the file is not YAML: one for each entry that is not."""


def recovered_entries(
    text: str, spans: Spans, known: Sequence[Entry], read: Callable[[str], Entry]
) -> RecoveredEntries[Entry] | None:
    """The entries of a broken ``text``, as reading the whole has them; ``known`` are those at ``spans``.

    None when only reading the whole can tell: it is YAML, or one entry may depend on another.
    """
    first = next((at for at, entry in enumerate(known) if entry.fault is not None), None)
    if first is None or len(text) > MAX_LOCATED_VALUES:  # a shorter text cannot hold too many values
        return None
    head, start = spans[0][0], spans[first][0]
    if any(entry.node is None for entry in known[:first]) or _ANCHOR.search(text, head, start):
        return None
    error = syntax_error_without(text, head, start)
    if error is None:
        return None
    recovery = EntryRecovery(text)
    entries = _entries(text, recovery, read)
    if not all(each.entry.is_alone for each in entries):
        return None
    errors = [
        syntax_diagnostic(entry.fault._replace(place=PlaceShifter(start, line).place(entry.fault.place)))
        for start, _end, line, entry in entries
        if entry.fault is not None
    ]
    return RecoveredEntries(recovery.list_name, tuple(entries), tuple(errors) or (error,))


def with_lines(
    text: str, spans: Iterable[tuple[int, int]], entries: Iterable[Entry]
) -> Iterator[PlacedEntry[Entry]]:
    """The entries at ``spans``, each with its line."""
    line = at = 0
    for (start, end), entry in zip(spans, entries, strict=True):
        line += text.count("\n", at, start)
        at = start
        yield PlacedEntry(start, end, line, entry)


def _entries(text: str, recovery: EntryRecovery, read: Callable[[str], Entry]) -> list[PlacedEntry[Entry]]:
    """Each entry; of one that cannot be read the parts that may be entries themselves."""
    spans: Spans = []
    entries: list[Entry] = []
    waiting = recovery.spans[::-1]
    while waiting:
        start, end = waiting.pop()
        entry = read(text[start:end])
        if entry.fault is not None and len(parts := recovery.split(start, end)) > 1:
            waiting += parts[::-1]
            continue
        spans.append((start, end))
        entries.append(entry)
    return list(with_lines(text, spans, entries))
