"""What a person probably meant: the nearest known word to one that is not known."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from collector.located_yaml.diagnostics import Place, QuickFix, TextEdit
from collector.model.i18n import _

LIKE_ENOUGH = 0.72


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most like ``word``, empty when none is like it."""
    found = difflib.get_close_matches(word, list(known), 1, LIKE_ENOUGH)
    return found[0] if found else ""


def did_you_mean(word: str, known: Iterable[str], place: Place) -> tuple[QuickFix, ...]:
    """A quick fix that writes the nearest known word at ``place``, when there is one."""
    better = nearest(word, known)
    if not better:
        return ()
    title = _("Change to {word}", word=better)
    return (QuickFix(title, (TextEdit(place.start, place.end, better),)),)
