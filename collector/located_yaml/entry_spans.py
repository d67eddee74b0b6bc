"""Find the entries of a rule file or library by its lines alone, so that broken files have entries too."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import pairwise

_ITEM = re.compile(r"^([ \t]*)-(?=\s)", re.MULTILINE)
_AT_MARGIN = re.compile(r"^[^\s#\ufeff-][^\n]*", re.MULTILINE)
_LISTS = r"(?:rules|states|safety|interference_library|anomalies)"
_LIST_OF = re.compile(rf"^\ufeff?({_LISTS})\s*:", re.MULTILINE)
_MERGED = r"(?:rules|states|safety|interference_library|anomalies|tasks)"
_MERGED_LIST = re.compile(rf"^\ufeff?({_MERGED})\s*:", re.MULTILINE)
"""As _LIST_OF, with the list of ``tasks.yaml``; in an experiment that key holds no entries."""
_EMPTY_LIST = re.compile(rf"^(\ufeff?{_MERGED}[ \t]*:)[ \t]*\[[ \t]*\]", re.MULTILINE)
_ID_LINE = re.compile(rf"^(?:{_LISTS}[ \t]*:)?([ \t]*)(-[ \t]*)?id\b[ \t]*:?", re.MULTILINE)
_KEY_LINE = re.compile(
    r"^[ \t]*([^\s#:\ufeff-][^:\r\n]{0,200}?)[ \t]{0,9}:?[ \t]{0,9}(?:#[^\r\n]{0,200})?\r?\n"
    r"[ \t]+(?:description|conditions)[ \t]*:",
    re.MULTILINE,
)
"""A key, perhaps without its colon or at a wrong column, above the first key of a success rule."""
_ID = re.compile(r"""(?:^|[\s{,-])id\s*:\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#,}]+))""")
_KEY = re.compile(r"""(?:"([^"\n]*)"|'([^'\n]*)'|([^:\n]+?))\s*:""")
_LONGEST_NAME = 60
_KEYS_INSIDE = ("description", "conditions")

Spans = list[tuple[int, int]]


def entry_spans(text: str, *, with_tasks: bool = False) -> tuple[str, Spans]:
    """The name of the list in the file (empty for a mapping by key), and start and end of its entries.

    ``with_tasks`` the list may be that of ``tasks.yaml``.
    """
    if text.startswith("\ufeff"):
        list_name, spans = entry_spans(text[1:], with_tasks=with_tasks)
        return list_name, [(start + 1, end + 1) for start, end in spans]
    listed = (_MERGED_LIST if with_tasks else _LIST_OF).search(text)
    first = _ITEM.search(text, listed.end() if listed else 0)
    keys = _keys_at_margin(text)
    if first is not None and (listed or not keys or first.start() < keys[0]):
        list_name = listed[1] if listed else "rules"
        same_indent = re.compile(rf"^{first[1]}-(?=\s)", re.MULTILINE)
        starts = [match.start() for match in same_indent.finditer(text, listed.end() if listed else 0)]
    else:
        list_name, starts = "", keys
    return list_name, _spans(text, starts)


def is_list_without_entries(text: str) -> bool:
    """Whether a text has the key of a list, and no entry under it yet."""
    listed = _MERGED_LIST.search(text)
    return listed is not None and _ITEM.search(text, listed.end()) is None


def with_open_list(text: str) -> str:
    """A text whose empty list is written ``[]``, so that entries can follow."""
    return _EMPTY_LIST.sub(r"\1", text)


def written_id(text: str) -> str:
    """The id in the text of an entry, also of one that cannot be read; empty when there is none."""
    match = (_KEY if text[:1] not in (" ", "-", "\t") else _ID).search(text)
    return next((group for group in match.groups() if group is not None), "") if match else ""


def written_name(text: str) -> str:
    """The id in the text of an entry; without one its first words."""
    return written_id(text) or text.strip().partition("\n")[0].strip(" \t\r-:")[:_LONGEST_NAME]


class EntryRecovery:
    """The entries of a text that is not YAML: ``list_name`` and ``spans`` as :func:`entry_spans` has them.

    ``is_bare`` says that the file is nothing but the list, without a key that holds it.
    ``split`` divides an entry that cannot be read where another seems to begin in it, so that a slip in
    one entry takes no other along.
    """

    def __init__(self, text: str) -> None:
        self.list_name, self.spans = entry_spans(text)
        self._starts = list(_named_starts(text))
        first = self.spans[0][0] if self.spans else len(text)
        is_named = _LIST_OF.search(text) is not None
        keys = [] if is_named else _success_keys(text)
        if keys and (not self._starts or keys[0] < self._starts[0]):
            self.list_name, self._starts = "", keys
            if keys[0] < first:
                self.spans = _spans(text, sorted({*keys, *_keys_at_margin(text)}))
        elif self._starts and self._starts[0] < first:
            self.spans = _spans(text, self._starts)  # others were taken for entries, as the first is broken
        self.is_bare = bool(self.list_name) and not is_named

    def split(self, start: int, end: int) -> Spans:
        """The parts of an entry; the entry itself when nothing seems to begin in it."""
        inside = self._starts[bisect_right(self._starts, start) : bisect_left(self._starts, end)]
        return list(pairwise([start, *inside, end]))

    def all_spans(self) -> tuple[tuple[int, int], ...]:
        """The entries as if none could be read; what stands before the first id is no entry."""
        starts = set(self._starts)
        parts = [part for span in self.spans for part in self.split(*span)]
        return tuple(part for part in parts if part[0] in starts) or tuple(parts)


def _keys_at_margin(text: str) -> list[int]:
    return [match.start() for match in _AT_MARGIN.finditer(text) if ":" in match[0]]


def _success_keys(text: str) -> list[int]:
    return [match.start() for match in _KEY_LINE.finditer(text) if not match[1].startswith(_KEYS_INSIDE)]


def _named_starts(text: str) -> Iterator[int]:
    """Starts of the lines that give an id, apart from an id that continues the mapping above it."""
    for match in _ID_LINE.finditer(text):
        above = _line_above(text, match.start())
        column = len(above) - len(above.lstrip(" \t-"))
        if match[2] or column != len(match[1]):
            yield match.start()


def _line_above(text: str, start: int) -> str:
    """The last line before ``start`` that is not blank; empty when there is none."""
    while start > 0:
        end = start - 1
        start = text.rfind("\n", 0, end) + 1
        if line := text[start:end].rstrip():
            return line
    return ""


def _spans(text: str, starts: list[int]) -> Spans:
    return list(pairwise([*starts, len(text)]))
