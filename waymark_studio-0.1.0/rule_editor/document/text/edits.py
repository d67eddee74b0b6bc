"""Text edits as values: invert, join and minimise them."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

from collector.located_yaml.diagnostics import TextEdit

EditBatch = tuple[TextEdit, ...]
"""Edits made at once; their places are those of the text before all of them."""


def inverse(text: str, edits: EditBatch) -> EditBatch:
    """The edits that undo ``edits`` of ``text``."""
    undo: list[TextEdit] = []
    shift = 0
    for edit in _in_order(edits):
        start = edit.start + shift
        undo.append(TextEdit(start, start + len(edit.text), text[edit.start : edit.end]))
        shift += len(edit.text) - (edit.end - edit.start)
    return tuple(undo)


def smallest_edit(before: str, after: str) -> EditBatch:
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


def line_edits(before: str, after: str, offset: int = 0) -> EditBatch:
    """Edits from ``before`` to ``after`` that touch only lines that differ; ``offset`` is added to places."""
    first = before.rfind("\n", 0, _common(before, after)) + 1
    limit = min(len(before), len(after)) - first
    tail = _common(before[: -limit - 1 : -1], after[: -limit - 1 : -1]) if limit else 0
    line = before.find("\n", len(before) - tail)
    tail = len(before) - line - 1 if line >= 0 else 0
    old = before[first : len(before) - tail].splitlines(keepends=True)
    new = after[first : len(after) - tail].splitlines(keepends=True)
    starts = [first]
    for old_line in old:
        starts.append(starts[-1] + len(old_line))
    edits: list[TextEdit] = []
    for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            for edit in smallest_edit("".join(old[i1:i2]), "".join(new[j1:j2])):
                at = starts[i1] + offset
                edits.append(TextEdit(at + edit.start, at + edit.end, edit.text))
    return tuple(edits)


def joined(first: EditBatch, second: EditBatch) -> EditBatch | None:
    """One batch for two successive ones; None unless the second continues where the first stopped."""
    if len(first) != 1 or len(second) != 1:
        return None
    before, after = first[0], second[0]
    written = before.start + len(before.text)
    if before.start <= after.start and after.end <= written:
        text = (
            before.text[: after.start - before.start] + after.text + before.text[after.end - before.start :]
        )
        return (TextEdit(before.start, before.end, text),)
    if after.end == before.start and not before.text:
        return (TextEdit(after.start, before.end, after.text),)
    if after.start == written and not after.text:
        return (TextEdit(before.start, before.end + after.end - after.start, before.text),)
    return None


def _in_order(edits: Sequence[TextEdit]) -> list[TextEdit]:
    return sorted(edits, key=lambda edit: (edit.start, edit.end))


def _common(first: str, second: str) -> int:
    """Length of the common start."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
