"""Suggest the known word that is most similar to an unknown one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from collector.located_yaml.diagnostics import Place, QuickFix, TextEdit
from collector.model.i18n import _

MIN_SIMILARITY = 0.72


def nearest(word: str, known: Iterable[str]) -> str:
    """The known word most similar to ``word``; empty when none is similar."""
    matches = difflib.get_close_matches(word, list(known), 1, MIN_SIMILARITY)
    return matches[0] if matches else ""


def did_you_mean(word: str, known: Iterable[str], place: Place) -> tuple[QuickFix, ...]:
    """A quick fix that replaces the word at ``place`` by the most similar known word, when there is one."""
    better = nearest(word, known)
    if not better:
        return ()
    title = _("Change to {word}", word=better)
    return (QuickFix(title, (TextEdit(place.start, place.end, better),)),)
