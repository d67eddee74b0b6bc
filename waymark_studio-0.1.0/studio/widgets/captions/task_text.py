"""Translate fixed values of task and trajectory files."""

from __future__ import annotations

from collector.model.i18n import _


def level_text(level: str) -> str:
    """A difficulty level in the person's language; an unknown level is returned unchanged."""
    names = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}
    return names.get(level, level)


def author_text(author: str) -> str:
    """The name of an author; a translated word for an import without author."""
    return _("imported") if author == "imported" else author
