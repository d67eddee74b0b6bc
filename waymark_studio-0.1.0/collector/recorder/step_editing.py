"""Edit recorded steps (undo, delete, trim, reword), and choose the step that the next action replaces."""

from __future__ import annotations

from collections.abc import Callable

from collector.model.i18n import _
from collector.recorder.committer import StepCommitter
from collector.store.trajectory.writer import TrajectoryWriter


class StepEditing:
    """The part of a recorder that edits recorded steps. Every method returns at once."""

    def __init__(self, committer: StepCommitter) -> None:
        self._committer = committer
        self._rerecords: int | None = None

    def undo(self) -> None:
        """Undo the newest edit or recorded step."""
        self.cancel_rerecord()
        self._edit(_("Undo"), lambda writer: writer.undo())

    def redo(self) -> None:
        self.cancel_rerecord()
        self._edit(_("Redo"), lambda writer: writer.redo())

    def delete(self, *indexes: int) -> None:
        self.cancel_rerecord()
        self._edit(_("Delete"), lambda writer: writer.delete(*indexes))

    def trim(self, start: int, stop: int) -> None:
        """Keep the steps from ``start`` up to, not including, ``stop``."""
        self.cancel_rerecord()
        self._edit(_("Trim"), lambda writer: writer.trim(start, stop))

    def reword(self, index: int, *, description: str = "", note: str | None = None,
               intention: str | None = None, continues: bool = False) -> None:  # fmt: skip
        """Set the given texts of a step; an empty ``description`` leaves the caption as it is.

        With ``continues`` one undo takes back the edit of these texts just before, too.
        """
        texts = {"description": description or None, "note": note, "intention": intention}
        given = {name: text for name, text in texts.items() if text is not None}

        def change(writer: TrajectoryWriter) -> None:
            writer.reword(index, continues=continues, **given)

        self._edit(_("Reword"), change)

    def rerecord(self, index: int) -> None:
        """The next action replaces the step at ``index`` and keeps its note and intention.

        This holds until that action, :meth:`cancel_rerecord`, or an edit that may renumber the steps.
        """
        self._rerecords = index
        self._rerecord_changed(index)

    def cancel_rerecord(self) -> None:
        """Let the next action go to the end again, if it was to replace a step."""
        if self._rerecords is not None:
            self._rerecords = None
            self._rerecord_changed(None)

    @property
    def rerecords(self) -> int | None:
        """Index of the step that the next action replaces; None for none."""
        return self._rerecords

    def _rerecord_changed(self, index: int | None) -> None:
        """Called when the next action replaces another step than before, or none."""

    def _edit(self, title: str, change: Callable[[TrajectoryWriter], str | None]) -> None:
        self._committer.edit(title, change)
