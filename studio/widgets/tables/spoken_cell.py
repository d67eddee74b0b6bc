"""What assistive technology reads of a cell in a table. No Qt."""

from __future__ import annotations

from collector.model.i18n import _


def spoken_cell(title: str, text: str) -> str:
    """Return the text of a cell; of an empty one that it is, with the title of its column."""
    if text:
        return text
    return _("{column}: empty", column=title) if title else _("empty")
