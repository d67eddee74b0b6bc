"""The marks that version control leaves around two versions of a place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from collector.model.i18n import _

_MARKERS = ("<<<<<<< ", ">>>>>>> ")
_MARKER = re.compile(rf"^(?:{'|'.join(_MARKERS)})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class MergeMark:
    """The first mark of a text; the others belong to it or are alike."""

    start: int
    line: int
    """From 1."""

    @property
    def what(self) -> str:
        return _("Two versions of one place stand here, between the marks of a merge")

    @property
    def to_do(self) -> str:
        return _("Keep one of them, or both, and remove the marks")


def first_mark(text: str) -> MergeMark | None:
    """The first mark of a merge in a text; None when there is none."""
    match = _MARKER.search(text)
    return MergeMark(match.start(), text.count("\n", 0, match.start()) + 1) if match is not None else None
