"""Carry diagnostics of a text over an edit of it, until the text is checked again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from collector.located_yaml.diagnostics import Diagnostic, QuickFix, TextEdit
from collector.located_yaml.line_index import LineIndex


def moved_diagnostics(
    diagnostics: Iterable[Diagnostic], edits: Sequence[TextEdit], text: str
) -> Iterator[Diagnostic]:
    """The diagnostics at their places in ``text``, after ``edits``; none that an edit touches."""
    lines = LineIndex(text)
    for diagnostic in diagnostics:
        span = _moved(diagnostic.place.start, diagnostic.place.end, edits)
        if span is not None:
            fixes = tuple(
                fix for fix in (_moved_fix(fix, edits) for fix in diagnostic.fixes) if fix is not None
            )
            yield replace(diagnostic, place=lines.place(*span), fixes=fixes)


def _moved_fix(fix: QuickFix, edits: Sequence[TextEdit]) -> QuickFix | None:
    """The fix with its edits at their new places; None when one of them changes what was edited."""
    spans = [_moved(edit.start, edit.end, edits) for edit in fix.edits]
    moved = [
        TextEdit(*span, edit.text) for edit, span in zip(fix.edits, spans, strict=True) if span is not None
    ]
    return QuickFix(fix.title, tuple(moved)) if len(moved) == len(spans) else None


def _moved(start: int, end: int, edits: Sequence[TextEdit]) -> tuple[int, int] | None:
    """Where the characters ``start`` to ``end`` are after ``edits``; None when an edit touches them."""
    by = 0
    for edit in edits:
        if edit.end < start or (edit.end == start and edit.text.endswith("\n")):
            by += len(edit.text) - (edit.end - edit.start)
        elif edit.start <= end:
            return None
    return start + by, end + by
