"""Changes of a text as values: what undoes them, what two of them come to, the least that tells two texts."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from collector.located_yaml.diagnostics import TextEdit

Batch = tuple[TextEdit, ...]
"""Edits made at once: places are of the text before all of them."""


def inverse(text: str, edits: Batch) -> Batch:
    """What takes ``text`` with ``edits`` made back to ``text``."""
    back: list[TextEdit] = []
    shift = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        start = edit.start + shift
        back.append(TextEdit(start, start + len(edit.text), text[edit.start : edit.end]))
        shift += len(edit.text) - (edit.end - edit.start)
    return tuple(back)


def trimmed(before: str, after: str) -> Batch:
    """The one edit from ``before`` to ``after`` that leaves their common start and end alone."""
    if before == after:
        return ()
    start = _common(before, after)
    limit = min(len(before), len(after)) - start
    end = _common(before[: -limit - 1 : -1], after[: -limit - 1 : -1]) if limit else 0
    if start and before[start - 1] == "\r":
        start -= 1  # a line ending stays whole
    if end and before[-end] == "\n" and "\r" in (before[-end - 1 : -end], after[-end - 1 : -end]):
        end -= 1
    return (TextEdit(start, len(before) - end, after[start : len(after) - end]),)


def by_lines(before: str, after: str, offset: int = 0) -> Batch:
    """Edits from ``before`` to ``after`` that touch only lines that differ; ``offset`` is added to places."""
    first = before.rfind("\n", 0, _common(before, after)) + 1
    limit = min(len(before), len(after)) - first
    tail = _common(before[: -limit - 1 : -1], after[: -limit - 1 : -1]) if limit else 0
    line = before.find("\n", len(before) - tail)
    tail = len(before) - line - 1 if line >= 0 else 0
    old = before[first : len(before) - tail].splitlines(keepends=True)
    new = after[first : len(after) - tail].splitlines(keepends=True)
    starts = [first]
    for one in old:
        starts.append(starts[-1] + len(one))
    edits: list[TextEdit] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            for edit in trimmed("".join(old[i1:i2]), "".join(new[j1:j2])):
                at = starts[i1] + offset
                edits.append(TextEdit(at + edit.start, at + edit.end, edit.text))
    return tuple(edits)


def joined(first: Batch, second: Batch) -> Batch | None:
    """One batch for two made after each other when the second goes on where the first stopped."""
    if len(first) != 1 or len(second) != 1:
        return None
    one, two = first[0], second[0]
    written = one.start + len(one.text)
    if one.start <= two.start and two.end <= written:
        text = one.text[: two.start - one.start] + two.text + one.text[two.end - one.start :]
        return (TextEdit(one.start, one.end, text),)
    if two.end == one.start and not one.text:
        return (TextEdit(two.start, one.end, two.text),)
    if two.start == written and not two.text:
        return (TextEdit(one.start, one.end + two.end - two.start, one.text),)
    return None


def _common(one: str, other: str) -> int:
    """Length of what both start with."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def position_after(at: int, edits: Sequence[TextEdit]) -> int:
    """Where the character ``at`` stands once ``edits`` are made; inside an edit, the edit's end."""
    shift = 0
    for edit in sorted(edits, key=lambda one: (one.start, one.end)):
        if edit.start > at or (edit.start == at and edit.end > at):
            break
        if edit.end > at:
            return edit.start + shift + len(edit.text)
        shift += len(edit.text) - (edit.end - edit.start)
    return at + shift
