"""Names of tasks and trajectories that are fixed in files, in the words of the person's language."""

from __future__ import annotations

from collector.model.i18n import _


def level_text(level: str) -> str:
    """``easy`` in the person's language; a level of somebody's own stays as it is written."""
    names = {"easy": _("easy"), "medium": _("medium"), "hard": _("hard")}
    return names.get(level, level)


def author_text(who: str) -> str:
    """A person's name as it is; for an import without one, that it was imported."""
    return _("imported") if who == "imported" else who
