"""Where the next action of a recording goes, in a sentence."""

from __future__ import annotations

from collector.model.i18n import _


def next_place_sentence(replaced: int | None, inserts: int | None) -> str:
    """Which step, counted from 0, the next action replaces or comes before; empty when it goes to the end."""
    if replaced is not None:
        return _("Your next action replaces step {number}", number=replaced + 1)
    if inserts is not None:
        return _("Your next action comes before step {number}", number=inserts + 1)
    return ""
