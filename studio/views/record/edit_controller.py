"""Commands that split, join and trim the open trajectory, replace a screen, and show its history."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.message import in_language
from collector.recorder.observer import newest_moment
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.files.names import inside
from collector.store.project.project import Project
from collector.store.project.trajectory_changes import duplicate_trajectory
from collector.store.trajectory.editable_steps import ReviewedByOthers
from studio.bridge.pictures import thumbnail
from studio.bridge.trajectory_edits import MakesEdit, PlannedEdit, ShownHistory, TrajectoryEdits
from studio.views.project.relative_time import relative_time
from studio.views.project.trajectory_list_dialog import TrajectoryListDialog
from studio.views.record.session import RecordSession
from studio.views.services import WindowServices
from studio.views.stored_screens import StateThumbnails
from studio.views.undo_source import UndoSource
from studio.widgets.act_list import ActEntry
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.trajectory_edits.edit_dialogs import EditHistoryDialog, EditPlanDialog
from studio.widgets.trajectory_edits.edit_strips import EditStrip, StripStep

if TYPE_CHECKING:
    from collector.recording.edits.edit_plan import EditedStep, EditedTrajectory, EditPlan
    from collector.recording.edits.trajectory_edit import MadeEdit, TrajectoryEdit

STEP_MENU = (
    ("step.rerecord", "step.insert", "step.rerecord-rest", "step.replace-state"),
    ("step.caption", "step.note", "record.mark-state"),
    ("step.hide",),
    ("step.delete", "step.delete-before", "step.delete-after"),
    ("trajectory.split", "trajectory.join", "trajectory.history"),
    ("trajectory.rename", "trajectory.duplicate", "trajectory.delete", "record.close-trajectory"),
)
"""The context menu of steps: ids of commands, in groups."""
_NEW = "new"
"""Stands for a trajectory in the keys of pictures that no file holds yet."""


class EditController(QObject):
    """Shows the steps before and after an edit, and makes it when the person says so."""

    past_read = Signal()
    """What can be undone and redone from before the trajectory was opened is known: :attr:`past`."""

    def __init__(
        self, session: RecordSession, services: WindowServices,
        open_trajectory: Callable[[Path, int], object], window: QWidget,
    ) -> None:  # fmt: skip
        """``open_trajectory`` opens a folder at a step; ``window`` is the parent of dialogs."""
        super().__init__(window)
        self._session, self._services, self._window = session, services, window
        self._open = open_trajectory
        self._edits = TrajectoryEdits(services.tasks, services.project_library, services.trajectories, self)
        self._past = ("", "")
        """What undo and redo would do of edits from before the trajectory was opened."""
        for command, handler in (
            ("trajectory.split", self.split),
            ("trajectory.join", self.join),
            ("trajectory.history", self.show_history),
            ("step.delete-before", self.drop_before),
            ("step.delete-after", self.drop_after),
            ("step.replace-state", self.replace_state),
        ):
            services.commander.handle(command, handler)
        session.trajectory_changed.connect(self._read_past)
        self._edits.returned.connect(self._returned)

    # -- commands --------------------------------------------------------------
    def split(self) -> None:
        """Split the open trajectory before the current step."""
        folder, at = self._folder, self._session.current

        def makes(project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.split_and_join import SplitTrajectory

            return SplitTrajectory(project, folder, who, at)

        self._ask(makes, _("Split the trajectory"), _("Split here"), partial(self._make_whole, (folder,)))

    def join(self, other: str = "") -> None:
        """Join the open trajectory with ``other``, or with the one that the person chooses."""
        library = self._services.project_library
        if other and library.project is not None:
            self._join(inside(library.project.folder, other))
            return
        dialog = TrajectoryListDialog(
            library, self._services.trajectories, self._window.window(), "kind:golden", changes=False
        )
        dialog.yes.setText(_("Choose"))
        dialog.opened.connect(self._join_row)
        dialog.open()

    @Slot(object)
    def _join_row(self, row: CatalogueRow) -> None:
        self.join(row.folder)

    def _join(self, other: Path) -> None:
        folder = self._folder

        def makes(project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.split_and_join import JoinTrajectories

            return JoinTrajectories(project, folder, who, other)

        self._ask(makes, _("Join two trajectories"), _("Join"), partial(self._make_whole, (folder, other)))

    def drop_before(self) -> None:
        """Delete all steps before the current one; of a stored trajectory once the person has seen it."""
        self._trim(self._session.current, len(self._session.steps))

    def drop_after(self) -> None:
        """Delete all steps after the current one; in a stored trajectory the screen behind it is its end."""
        self._trim(0, self._session.current + 1)

    def _trim(self, start: int, stop: int) -> None:
        if self._session.editor is None:
            recorder = self._services.recording.recorder
            if recorder is not None:
                recorder.trim(start, stop)
            return
        folder = self._folder

        def makes(project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.step_edits import TrimSteps

            return TrimSteps(project, folder, who, start, stop)

        self._ask(makes, _("Trim the trajectory"), _("Trim"), partial(self._make, folder))

    def replace_state(self) -> None:
        """Replace the screen of the current step by that of the phone."""
        folder, index, phone = self._folder, self._session.current, self._services.devices.current
        if phone is None or not phone.is_live:
            raise UserError(_("The new screen is that of the phone"), _("none is there"), _("Connect one"))
        phone.require_free()
        moment = newest_moment(phone.screen, time.monotonic_ns(), dt.datetime.now(dt.UTC))
        if moment.snapshot is None or not phone.tree_is_fresh:
            raise UserError(_("The screen of the phone is still being read"), "", _("Try again in a moment"))
        # Nothing changed on the screen since its tree was read.
        moment = replace(moment, time_ns=moment.snapshot.finished_ns)

        def makes(project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.step_edits import ReplaceState

            return ReplaceState(project, folder, who, index, moment)

        self._ask(makes, _("Replace the screen"), _("Replace"), partial(self._make, folder))

    @property
    def _folder(self) -> Path:
        """The open stored trajectory. Raises UserError without one."""
        folder = self._session.folder
        if folder is None or self._session.editor is None:
            raise UserError(_("No stored trajectory is open"), "", _("Open one in Record"))
        return folder

    # -- before and after ----------------------------------------------------------
    def _ask(self, makes: MakesEdit, title: str, yes: str, make: Callable[[TrajectoryEdit], object]) -> None:
        """Show what an edit comes to, and make it when the person accepts."""

        def show(planned: PlannedEdit) -> None:
            plan, window = planned.plan, self._window.window()
            thumbnails = self._thumbnails(plan)
            notes = [in_language(note) for note in plan.notes]
            dialog = EditPlanDialog(title, yes, _strips(plan), notes, thumbnails.cache, window)
            thumbnails.setParent(dialog)
            dialog.accepted.connect(partial(make, planned.edit))
            dialog.open()

        self._edits.plan(makes, show, self.show_error)

    def _thumbnails(self, plan: EditPlan) -> StateThumbnails:
        """The pictures of a plan; those that no file holds yet are given."""
        thumbnails = StateThumbnails(self._services.tasks)
        shown = [step for trajectory in (*plan.before, *plan.after) for step in trajectory.steps]
        thumbnails.follow({str(step.folder): step.folder for step in shown})
        for step in shown:
            if step.picture:
                thumbnails.cache.deliver(_key(step), thumbnail(step.picture, ThumbnailCache.box))
        return thumbnails

    def _make(self, folder: Path, edit: TrajectoryEdit) -> None:
        """Make an edit of the steps of the open trajectory, and show it again where it was."""
        shown = partial(self._made, self._session.current)
        self._edits.make(edit, (folder,), shown, self._failed(folder))

    def _make_whole(self, folders: tuple[Path, ...], edit: TrajectoryEdit) -> None:
        self._edits.make_whole(edit, folders, partial(self._made, 0), self._failed(folders[0]))

    def _failed(self, folder: Path) -> Callable[[Exception], object]:
        """Say why, and show the trajectory again that was closed for the edit."""
        at = self._session.current

        def failed(error: Exception) -> None:
            self.show_error(error)
            self._open(folder, at)

        return failed

    @Slot(object)
    def show_error(self, error: Exception) -> None:
        """Say why an edit was refused; of steps that somebody else reviewed a copy can be edited."""
        folder, toasts = self._session.folder, self._services.toasts
        if not isinstance(error, ReviewedByOthers) or folder is None:
            toasts.show_error(error)
            return
        act = partial(self._edit_copy, folder)
        toasts.show("warn", error.what, error.why, action=_("Edit a copy"), act=act, for_now=True)

    def _edit_copy(self, folder: Path) -> None:
        """Open a copy without reviews at the step on show."""
        at = self._session.current
        copies = partial(duplicate_trajectory, with_reviews=False)
        job = self._services.trajectories.change(folder, copies, is_announced=False)
        if job is not None:
            job.succeeded.connect(lambda result: self._open(result[0].after, at))

    def _made(self, at: int, made: MadeEdit) -> None:
        self._open(made.folders[0], at)
        names = ", ".join(folder.name for folder in made.folders)
        self._services.toasts.show("ok", _("Done: {title}", title=made.title), names)

    # -- history -------------------------------------------------------------------
    @property
    def past(self) -> UndoSource:
        """The newest edits of the open trajectory from before it was opened, as before a restart."""
        return UndoSource(*self._past, self.undo, self.redo)

    def undo(self) -> None:
        """Take the newest edit of the open trajectory back, whenever it was made."""
        folder = self._folder
        self._edits.undo(folder, partial(self._moved, self._session.current), self._failed(folder))

    def redo(self) -> None:
        """Make the edit of the open trajectory again that was undone last."""
        folder = self._folder
        self._edits.redo(folder, partial(self._moved, self._session.current), self._failed(folder))

    def _moved(self, at: int, made: MadeEdit) -> None:
        self._open(made.folders[0], at)

    @Slot(object)
    def _returned(self, folder: Path) -> None:
        """Show what an undo or a redo brought back, where the person looks at trajectories."""
        if self._window.isVisible() and not self._services.recording.is_active:
            self._open(folder, 0)

    @Slot()
    def _read_past(self) -> None:
        self._past = ("", "")
        folder = self._session.folder
        if self._session.editor is None or folder is None or self._session.editor.header.is_run:
            return

        def read(history: ShownHistory) -> None:
            if folder == self._session.folder:
                self._past = history.undo_title, history.redo_title
                self.past_read.emit()

        if self._services.project_library.project is not None:
            self._edits.history(folder, read, lambda _error: None)

    def show_history(self) -> None:
        """List the edits of the open trajectory, with the steps before and after each."""
        folder = self._folder
        thumbnails = StateThumbnails(self._services.tasks)
        thumbnails.follow({str(folder): folder})
        title = _("Edits of {id}", id=folder.name)
        dialog = EditHistoryDialog(title, thumbnails.cache, self._window.window())
        thumbnails.setParent(dialog)
        show_error = self._services.toasts.show_error

        def show(plan: EditPlan) -> None:
            dialog.show_strips(_strips(plan))

        def say(error: Exception) -> None:
            dialog.show_sentence(str(error))

        def choose(number: int) -> None:
            self._edits.plan_of_entry(folder, number, show, say)

        def read(history: ShownHistory) -> None:
            dialog.show_edits(_entries(history), history.undo_title, history.redo_title)
            dialog.open()

        def move(act: Callable[[], None]) -> None:
            dialog.accept()
            act()

        dialog.chosen.connect(choose)
        dialog.undo_asked.connect(partial(move, self.undo))
        dialog.redo_asked.connect(partial(move, self.redo))
        self._edits.history(folder, read, show_error)


def _entries(history: ShownHistory) -> list[ActEntry]:
    """The edits, newest first."""
    return [
        ActEntry(
            "undo" if edit.is_undone else "edit",
            _("{title} (undone)", title=edit.title) if edit.is_undone else edit.title,
            "  ·  ".join(filter(None, (edit.who, relative_time(edit.time) if edit.time else ""))),
            tip=edit.time,
            subject=str(number),
        )
        for number, edit in reversed([*enumerate(history.entries, start=1)])
    ]


def _strips(plan: EditPlan) -> list[EditStrip]:
    return [
        EditStrip(f"{title}: {trajectory.id} ({trajectory.task_id})", _steps(trajectory))
        for title, side in ((_("Before the edit"), plan.before), (_("After the edit"), plan.after))
        for trajectory in side
    ]


def _steps(trajectory: EditedTrajectory) -> tuple[StripStep, ...]:
    return tuple(
        StripStep(number, step.caption, _key(step), str(step.fate))
        for number, step in enumerate(trajectory.steps, start=1)
    )


def _key(step: EditedStep) -> tuple[str, str] | None:
    """Key of a thumbnail: where the picture is, and its name."""
    if step.picture:
        return _NEW, str(step.step.index)
    return (str(step.folder), step.step.state.screenshot) if step.step.state.screenshot else None
