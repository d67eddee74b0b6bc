"""Entries of a rule file or library, each parsed alone where possible, so that an edit re-reads one entry."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from collector.located_yaml.diagnostics import Diagnostic, Place
from collector.located_yaml.entry_spans import EntryRecovery
from collector.located_yaml.source import SyntaxFault, YamlSource, read_entry, read_source
from collector.located_yaml.yaml_node import YamlNode
from collector.located_yaml.yaml_patch.style import StyleCounts
from collector.rules.grammar.model import Rule, RuleFile

_CROSSES_ENTRIES = re.compile(
    r"^(?:---|\.\.\.|%)|^[ \t-]*\?(?=\s|\Z)|\r(?!\n)"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufffe\uffff]",
    re.MULTILINE,
)
"""Syntax that can make one entry depend on another, so that entries cannot be parsed alone.

Documents, directives, keys after a question mark (a key without a value ends where the next entry
begins), line breaks that only YAML knows, characters that YAML does not allow. An alias to another
entry needs no mention: the entry that holds it cannot be parsed alone.
"""
CACHED_ENTRIES = 4000


def entries_depend(text: str, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether the syntax of ``text`` can make one of its entries depend on another.

    Each entry is searched once, however often the text around it changes.
    """
    return _crosses(text[: spans[0][0]]) or any(_crosses(text[start:end]) for start, end in spans)


@lru_cache(CACHED_ENTRIES)
def _crosses(text: str) -> bool:
    return _CROSSES_ENTRIES.search(text) is not None


@dataclass(slots=True, eq=False)
class ParsedEntry:
    """The text of one entry, parsed alone; places count from its start.

    ``node`` is the value of the entry, a mapping unless it is wrong; None when it cannot be used alone.
    """

    text: str
    root: YamlNode | None
    node: YamlNode | None
    rule: Rule | None
    diagnostics: tuple[Diagnostic, ...]
    key: str = ""
    fault: SyntaxFault | None = None
    """Why the text is not YAML; None when it is."""
    is_alone: bool = True
    """Whether a broken file reads the text as it is read alone."""
    style_counts: StyleCounts | None = None
    plain: Any = None
    """The plain value of ``root``, computed on first use."""
    shift: tuple[int, int] = (-1, -1)
    """Offset and line of the file at which ``shifted_rule`` stands."""
    shifted_rule: Rule | None = None
    """``rule`` with its places counted from the start of the file."""


@dataclass(frozen=True, slots=True, eq=False)
class FileEntry:
    """One entry of a file; characters ``start`` to ``end`` reach up to the next entry.

    ``key`` is the name that edits use (see :class:`ParsedFile`). ``path`` leads to the entry's
    mapping: from the root of ``parsed.text`` when the entry was parsed alone, else from the root
    of the file.
    """

    key: str
    start: int
    end: int
    rule: Rule | None
    node: YamlNode | None
    path: tuple[str | int, ...]
    parsed: ParsedEntry | None = None
    """None in a file that was parsed as a whole."""

    @property
    def style_counts(self) -> StyleCounts:
        """How the entry is written; empty for an entry that was not parsed alone."""
        if self.parsed is None:
            return StyleCounts()
        if self.parsed.style_counts is None:
            self.parsed.style_counts = StyleCounts()
            if self.parsed.root is not None:
                self.parsed.style_counts.count(self.parsed.root, self.parsed.text)
        return self.parsed.style_counts


@dataclass(frozen=True, slots=True, eq=False)
class ParsedFile:
    """One revision of a text with its entries.

    ``by_key`` finds entries by the name that edits use: the id; ``id#1`` for the earlier of two
    entries with one id; ``#3`` for an entry without an id. An entry that cannot be read has the id that
    its text shows.
    """

    text: str
    file: RuleFile
    entries: tuple[FileEntry, ...]
    is_whole: bool
    """False when parts of the text cannot be parsed."""
    root: YamlNode | None = None
    """The root of a file that was parsed as a whole."""
    by_key: dict[str, FileEntry] = field(default_factory=dict)


def with_unread(
    source: YamlSource, entries: Sequence[FileEntry], diagnostics: Sequence[Diagnostic]
) -> list[FileEntry]:
    """The entries, and one that can only be edited as text for each part of a broken text that is in none.

    A text without any entry is one when something is wrong with it, so that it can still be chosen.
    """
    spans = source.spans
    if not entries and not spans and diagnostics and source.text.strip():
        spans = EntryRecovery(source.text).all_spans() or ((0, len(source.text)),)
    starts = sorted(entry.start for entry in entries)
    unread = [
        FileEntry("", start, end, None, None, ())
        for start, end in spans
        if bisect_left(starts, start) == bisect_left(starts, end)
    ]
    return sorted([*entries, *unread], key=lambda entry: entry.start)


def text_place(text: str, entry: FileEntry) -> Place:
    """The place of all lines of an entry."""
    line_start = text.rfind("\n", 0, entry.start) + 1
    return Place(entry.start, entry.end, text.count("\n", 0, entry.start) + 1, entry.start - line_start + 1)


@lru_cache(maxsize=3)
def whole_source(text: str) -> YamlSource:
    """As :func:`read_source`, cached because one edit asks for the same text several times.

    The tree is shared, so callers must not change it.
    """
    return read_source(text)


def root_of_file(text: str) -> YamlNode | None:
    """The root of a whole text; None when it is not YAML."""
    source = whole_source(text)
    return source.root if source.is_whole else None


def root_of_entry(text: str) -> YamlNode | None:
    """The root of one entry's text; None when it is not YAML."""
    source = read_entry(text)
    return source.root if source.is_whole else None
