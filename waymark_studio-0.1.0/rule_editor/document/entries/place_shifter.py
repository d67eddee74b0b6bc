"""Shift places of an entry that was parsed alone to where the entry stands in the file."""

from __future__ import annotations

from dataclasses import replace

from collector.located_yaml.diagnostics import Diagnostic, Place, TextEdit


class PlaceShifter:
    """Adds ``offset`` characters and ``lines`` lines to places; columns stay."""

    def __init__(self, offset: int, lines: int) -> None:
        self._offset = offset
        self._lines = lines

    def place(self, place: Place) -> Place:
        """The place in the file."""
        return Place(
            place.start + self._offset, place.end + self._offset, place.line + self._lines, place.column
        )

    def diagnostic(self, diagnostic: Diagnostic, path: str) -> Diagnostic:
        """The diagnostic in the file ``path``, its fixes included."""
        fixes = tuple(replace(fix, edits=tuple(map(self._edit, fix.edits))) for fix in diagnostic.fixes)
        return replace(diagnostic, place=self.place(diagnostic.place), fixes=fixes, path=path)

    def _edit(self, edit: TextEdit) -> TextEdit:
        return TextEdit(edit.start + self._offset, edit.end + self._offset, edit.text)
