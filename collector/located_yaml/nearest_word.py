"""Suggest the known word that is most similar to an unknown one."""

from __future__ import annotations

import difflib
from collections.abc import Collection

from collector.located_yaml.diagnostics import Place, QuickFix, TextEdit
from collector.model.i18n import _

MIN_SIMILARITY = 0.72
_LONGEST = 200
"""Letters of a word that is compared; the time grows with their square."""
_MOST = 1000
"""Known words of about its length up to which each is compared, letter by letter."""
_MOST_KNOWN = 5000


def nearest(word: str, known: Collection[str]) -> str:
    """The known word most similar to ``word``; empty when none is similar, or too many would be compared."""
    if len(word) > _LONGEST or len(known) > _MOST_KNOWN:
        return ""
    shortest = MIN_SIMILARITY / (2 - MIN_SIMILARITY) * len(word)
    longest = (2 - MIN_SIMILARITY) / MIN_SIMILARITY * len(word)
    likely = [other for other in known if shortest <= len(other) <= longest]
    matches = difflib.get_close_matches(word, likely, 1, MIN_SIMILARITY) if len(likely) <= _MOST else []
    return matches[0] if matches else ""


def did_you_mean(word: str, known: Collection[str], place: Place) -> tuple[QuickFix, ...]:
    """A quick fix that replaces the word at ``place`` by the most similar known word, when there is one."""
    return change_to(nearest(word, known), place)


def change_to(better: str, place: Place) -> tuple[QuickFix, ...]:
    """A quick fix that replaces the word at ``place``; none when there is nothing better."""
    if not better:
        return ()
    title = _("Change to {word}", word=better)
    return (QuickFix(title, (TextEdit(place.start, place.end, better),)),)
