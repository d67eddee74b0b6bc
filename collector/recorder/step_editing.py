"""Edit recorded steps, choose the step that the next action replaces, and know whether the phone is there."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.recorder.committer import StepCommitter
from collector.store.trajectory.writer import TrajectoryWriter


class StepEditing:
    """The part of a recorder that edits recorded steps. Every method returns at once."""

    def __init__(self, committer: StepCommitter) -> None:
        self._committer = committer
        self._armed: int | None = None
        """Index of the step that the next action replaces, or that it comes before; None for the end."""
        self._inserted: int | None = None
        """How many steps were inserted; None while none are to be."""
        self._unwritten_edits = 0
        self._counting = threading.Lock()

    def undo(self) -> None:
        """Undo the newest edit or recorded step; of steps that are being inserted more can follow."""
        if self._inserted and self._armed is not None:
            self._arm(self._armed - 1, self._inserted - 1)
        else:
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
        self._arm(index)

    def insert(self, index: int) -> None:
        """The next actions come before the step at ``index``, one after the other, until they are cancelled.

        An edit that may renumber the steps cancels it, too, but for the undo of what was inserted.
        """
        self._arm(index, 0)

    def drop_rest(self, index: int) -> None:
        """Delete the steps from ``index`` on: the next action goes on from there."""
        self.cancel_rerecord()
        self._edit(_("Re-record"), lambda writer: writer.drop_rest(index))

    def cancel_rerecord(self) -> None:
        """Let the next action go to the end again, if it was to replace a step, or to come before one."""
        if self._armed is not None:
            self._arm(None)

    @property
    def rerecords(self) -> int | None:
        """Index of the step that the next action replaces; None for none."""
        return self._armed if self._inserted is None else None

    @property
    def inserts(self) -> int | None:
        """Index of the step that the next action comes before; None for none."""
        return self._armed if self._inserted is not None else None

    def _arm(self, index: int | None, inserted: int | None = None) -> None:
        self._armed, self._inserted = index, inserted
        self._rerecord_changed()

    def _take_place(self) -> dict[str, int]:
        """Where an action goes that is committed now; the next goes to the end, or behind an inserted one."""
        armed, inserted = self._armed, self._inserted
        if armed is None:
            return {}
        if inserted is None:
            self.cancel_rerecord()
            return {"replaces": armed}
        self._armed, self._inserted = armed + 1, inserted + 1
        self._rerecord_changed(moves=False)
        return {"inserts": armed}

    def _rerecord_changed(self, *, moves: bool = True) -> None:
        """Called when the next action replaces another step than before, or none, or comes before one.

        It ``moves`` the place where the phone is to be, but behind an inserted step once that is written.
        """

    def _edit(self, title: str, change: Callable[[TrajectoryWriter], str | None]) -> None:
        """Edit in the order of the steps, on the writer's thread."""
        with self._counting:
            self._unwritten_edits += 1

        def edit(writer: TrajectoryWriter) -> str | None:
            try:
                better_title = change(writer)
            except UserError:
                raise  # the disk refused it, and gets it again
            except BaseException:
                self._edit_is_over()
                raise
            self._steps_changed()
            self._edit_is_over()
            return better_title

        self._committer.edit(title, edit)

    def _edit_is_over(self) -> None:
        with self._counting:
            self._unwritten_edits -= 1

    def _require_written_edits(self) -> None:
        """Raise UserError while nobody knows where the steps will end."""
        if self._unwritten_edits:
            raise UserError(
                _("An edit is still being written"),
                _("where the steps end is not known before"),
                _("Finish again in a moment"),
            )

    def _steps_changed(self) -> None:
        """Called on the writer's thread as soon as an edit is written."""


@dataclass(frozen=True, slots=True)
class StepPlace:
    """The place behind a step, named by what edits do not change: its number and its words they do."""

    wall_time: str = ""
    t_ms: int = -1
    screenshot: str = ""

    @classmethod
    def behind(cls, step: Step | None) -> StepPlace:
        """The place behind ``step``; None for the beginning of the recording."""
        return cls(step.wall_time, step.t_ms, step.state.screenshot) if step is not None else cls()


def elsewhere_sentence(index: int) -> str:
    """What is doubtful about a step at ``index`` that was recorded while the phone was elsewhere."""
    if not index:
        return _("The phone was not where the recording begins")
    return _("The phone was not where step {number} had led", number=index)


class PhonePlace:
    """Thread-safe. An edit that moves the place of the next action leaves the phone elsewhere.

    It stays elsewhere until somebody has compared its screen, or until an action is recorded there.
    """

    def __init__(self, wanted: StepPlace, changed: Callable[[bool], None], *, is_elsewhere: bool) -> None:
        """``changed`` is called with :attr:`is_elsewhere`, on the thread that changed it."""
        self._lock = threading.Lock()
        self._wanted, self._changed = wanted, changed
        self._is_elsewhere = is_elsewhere
        self._is_accepted = False

    @property
    def wanted(self) -> StepPlace:
        """Where the next action goes."""
        return self._wanted

    @property
    def is_elsewhere(self) -> bool:
        return self._is_elsewhere

    def want(self, place: StepPlace) -> None:
        """The next action goes to ``place``."""
        self._set(place, is_elsewhere=self._is_elsewhere or place != self._wanted)

    def recorded(self, place: StepPlace, wanted: StepPlace) -> None:
        """A step was recorded: the phone is at ``place``, behind it, and the next goes to ``wanted``."""
        self._set(wanted, is_elsewhere=place != wanted)

    def accept(self) -> None:
        """A person goes on from where the phone is, whatever its screen says."""
        self._is_accepted = True

    def require_end(self) -> None:
        """Raise UserError while the phone is elsewhere: its screen is not where the steps end."""
        if self._is_elsewhere and not self._is_accepted:
            raise UserError(
                _("The phone is not where the steps end"),
                _("its screen would be recorded as where they led"),
                _("Bring the phone there; if it is there already, pause and resume before you finish"),
            )

    def leave(self) -> None:
        """Something else moved the phone."""
        self._is_accepted = False
        self._set(self._wanted, is_elsewhere=True)

    def confirm(self, place: StepPlace) -> bool:
        """The screen was compared: the phone is at ``place``. Returns whether it should be there."""
        if place != self._wanted:
            return False
        self._set(place, is_elsewhere=False)
        return True

    def _set(self, wanted: StepPlace, *, is_elsewhere: bool) -> None:
        with self._lock:
            before, self._is_elsewhere = self._is_elsewhere, is_elsewhere
            self._is_accepted = self._is_accepted and before and wanted == self._wanted
            self._wanted = wanted
        if before != is_elsewhere:
            self._changed(is_elsewhere)
