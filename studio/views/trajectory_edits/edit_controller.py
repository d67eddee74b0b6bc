"""Commands that edit the steps of a golden trajectory, split and join it, and show its history."""

from __future__ import annotations

import datetime as dt
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QWidget

from collector.model.editing.edit_stack import EditStack
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.recorder.observer import newest_moment
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.files.names import inside
from collector.store.project.project import Project
from studio.bridge.pictures import thumbnail
from studio.bridge.trajectories.trajectory_edits import MakesEdit, PlannedEdit, ShownHistory, TrajectoryEdits
from studio.bridge.while_alive import while_alive
from studio.views.edited_place import EditedPlace
from studio.views.project.relative_time import relative_time
from studio.views.project.trajectory_list_dialog import TrajectoryListDialog
from studio.views.services import WindowServices
from studio.views.stored_screens import StateThumbnails
from studio.views.trajectory_edits.plan_strips import last_that_comes, notes_of, picture_key, strips_of
from studio.views.trajectory_edits.refused_edit import say_refused
from studio.views.workspace import Workspace
from studio.widgets.tables.act_list import ActEntry
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.trajectory_edits.edit_dialogs import EditHistoryDialog, EditPlanDialog
from studio.widgets.trajectory_edits.insert_dialog import InsertDialog

if TYPE_CHECKING:
    from collector.recording.edits.edit_plan import EditPlan
    from collector.recording.edits.trajectory_edit import MadeEdit, TrajectoryEdit


class EditController(QObject):
    """Shows the steps before and after an edit, and makes it when the person says so.

    It acts on the step that the workspace in front shows. Runs have none that could be edited.
    """

    def __init__(
        self, services: WindowServices, current: Callable[[], Workspace | None], window: QWidget
    ) -> None:
        """``current`` returns the workspace in front; ``window`` is the parent of dialogs."""
        super().__init__(window)
        self._services, self._current, self._window = services, current, window
        self._edits = TrajectoryEdits(services.tasks, services.project_library, services.trajectories, self)
        for command, handler in (
            ("trajectory.split", self.split),
            ("trajectory.join", self.join),
            ("trajectory.history", self.show_history),
            ("step.delete", self.delete),
            ("step.delete-before", self.drop_before),
            ("step.delete-after", self.drop_after),
            ("step.insert-from", self.insert_from),
            ("step.replace-state", self.replace_state),
        ):
            services.commander.handle(command, handler)
        self._edits.returned.connect(self._returned)

    def follow(self, workspace: Workspace) -> None:
        """Follow what a workspace shows."""
        workspace.place_changed.connect(self.update)

    @Slot()
    def update(self) -> None:
        """Say whether the workspace in front shows a step that can be edited."""
        workspace = self._current()
        place = workspace.edited_place if workspace is not None else None
        self._services.commander.set_context(
            edit__step=place is not None, edit__stored=place is not None and place.recorder is None
        )

    @property
    def _place(self) -> EditedPlace:
        """What the workspace in front shows. Raises UserError when that cannot be edited."""
        workspace = self._current()
        place = workspace.edited_place if workspace is not None else None
        if place is None:
            raise UserError(_("No golden trajectory is open"), "", _("Open one in Record, States or Review"))
        return place

    # -- commands --------------------------------------------------------------
    def split(self) -> None:
        """Split the trajectory before the step."""
        place = self._place

        def makes(project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.split_and_join import SplitTrajectory

            return SplitTrajectory(project, place.folder, who, place.step)

        self._ask(makes, _("Split the trajectory"), _("Split here"), partial(self._make_whole, place, ()))

    def join(self, other: str = "") -> None:
        """Join the trajectory with ``other``, or with the one that the person chooses."""
        place = self._place
        if other:
            self._join(place, self._named(other))
        else:
            self._choose(_("Join two trajectories"), lambda chosen: self._join(place, chosen))

    def _join(self, place: EditedPlace, other: Path) -> None:
        def makes(project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.split_and_join import JoinTrajectories

            return JoinTrajectories(project, place.folder, who, other)

        self._ask(makes, _("Join two trajectories"), _("Join"), partial(self._make_whole, place, (other,)))

    def delete(self) -> None:
        """Delete the step; of a stored trajectory once the person has seen what stays."""
        place = self._place
        if place.recorder is not None:
            place.recorder.delete(place.step)
            return

        def makes(project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.step_edits import DropSteps

            return DropSteps(project, place.folder, who, (place.step,))

        self._ask(makes, _("Delete a step"), _("Delete"), partial(self._make, place))

    def drop_before(self) -> None:
        """Delete all steps before the step; of a stored trajectory once the person has seen it."""
        place = self._place
        self._trim(place, place.step, place.count)

    def drop_after(self) -> None:
        """Delete all steps after the step; in a stored trajectory the screen behind it is its end."""
        place = self._place
        self._trim(place, 0, place.step + 1)

    def _trim(self, place: EditedPlace, start: int, stop: int) -> None:
        if place.recorder is not None:
            place.recorder.trim(start, stop)
            return

        def makes(project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.step_edits import TrimSteps

            return TrimSteps(project, place.folder, who, start, stop)

        self._ask(makes, _("Trim the trajectory"), _("Trim"), partial(self._make, place))

    def insert_from(self, other: str = "") -> None:
        """Insert steps of ``other``, or of the trajectory that the person chooses, before the step."""
        place = self._place
        if other:
            self._insert(place, self._named(other))
        else:
            self._choose(_("Insert steps of another trajectory"), partial(self._insert, place))

    def _insert(self, place: EditedPlace, other: Path) -> None:
        """Show which steps would come, all at first, and insert those that the person names."""

        def makes(start: int, stop: int | None, project: Project, who: str) -> TrajectoryEdit:
            from collector.recording.edits.step_edits import InsertSteps

            return InsertSteps(project, place.folder, who, place.step, other, start, stop)

        def show(planned: PlannedEdit) -> None:
            thumbnails = self._thumbnails(planned.plan)
            count = last_that_comes(planned.plan) + 1
            dialog = InsertDialog(other.name, count, thumbnails.cache, self._window.window())
            thumbnails.setParent(dialog)
            chosen = planned

            def show_choice(again: PlannedEdit) -> None:
                nonlocal chosen
                chosen = again
                dialog.show_plan(strips_of(again.plan), notes_of(again.plan))

            def choose(start: int, stop: int) -> None:
                self._edits.plan(
                    partial(makes, start, stop), while_alive(dialog, show_choice),
                    while_alive(dialog, lambda error: dialog.refuse(str(error))),
                )  # fmt: skip

            def make() -> None:
                self._make(place, chosen.edit)

            show_choice(planned)
            dialog.range_changed.connect(choose)
            dialog.accepted.connect(make)
            dialog.open()

        self._edits.plan(partial(makes, 0, None), while_alive(self, show), self._say_refused)

    def replace_state(self) -> None:
        """Replace the screen of the step by that of the phone."""
        place, phone = self._place, self._services.devices.current
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

            return ReplaceState(project, place.folder, who, place.step, moment)

        self._ask(makes, _("Replace the screen"), _("Replace"), partial(self._make, place))

    def _named(self, other: str) -> Path:
        project = self._services.project_library.project
        if project is None:
            raise UserError(_("No project is open"))
        return inside(project.folder, other)

    def _choose(self, title: str, chosen: Callable[[Path], object]) -> None:
        """Let the person choose a golden trajectory of the project for what ``title`` says."""
        library = self._services.project_library
        dialog = TrajectoryListDialog(
            library, self._services.trajectories, self._window.window(), "kind:golden",
            changes=False, title=title,
        )  # fmt: skip
        dialog.model.as_seen = self._services.state_reviews.without_names
        dialog.yes.setText(_("Choose"))

        def choose(row: CatalogueRow) -> None:
            chosen(self._named(row.folder))

        dialog.opened.connect(choose)
        dialog.open()

    # -- before and after ----------------------------------------------------------
    def _ask(self, makes: MakesEdit, title: str, yes: str, make: Callable[[TrajectoryEdit], object]) -> None:
        """Show what an edit comes to, and make it when the person accepts."""

        def show(planned: PlannedEdit) -> None:
            thumbnails = self._thumbnails(planned.plan)
            dialog = EditPlanDialog(title, yes, thumbnails.cache, self._window.window())
            thumbnails.setParent(dialog)
            dialog.show_plan(strips_of(planned.plan), notes_of(planned.plan))
            dialog.accepted.connect(partial(make, planned.edit))
            dialog.open()

        self._edits.plan(makes, while_alive(self, show), self._say_refused)

    def _thumbnails(self, plan: EditPlan) -> StateThumbnails:
        """The pictures of a plan; those that no file holds yet are given."""
        thumbnails = StateThumbnails(self._services.tasks)
        shown = [step for trajectory in (*plan.before, *plan.after) for step in trajectory.steps]
        thumbnails.follow({str(step.folder): step.folder for step in shown})
        for step in shown:
            if step.picture:
                thumbnails.cache.deliver(picture_key(step), thumbnail(step.picture, ThumbnailCache.box))
        return thumbnails

    def _make(self, place: EditedPlace, edit: TrajectoryEdit) -> None:
        """Make an edit of the steps of a trajectory, and show it again where it was."""
        self._edits.make(
            edit, (place.folder,), place.step, self._stack,
            while_alive(self, partial(self._made, place.step)),
            while_alive(self, partial(self._failed, place)),
        )  # fmt: skip

    @property
    def _stack(self) -> EditStack | None:
        """Where the workspace in front undoes edits of steps."""
        workspace = self._current()
        return workspace.edit_stack if workspace is not None else None

    def _make_whole(self, place: EditedPlace, others: tuple[Path, ...], edit: TrajectoryEdit) -> None:
        folders = (place.folder, *others)
        stack = self._stack or self._services.project_library.history
        self._edits.make(
            edit, folders, place.step, stack, while_alive(self, partial(self._made, 0)),
            while_alive(self, partial(self._failed, place)),
        )  # fmt: skip

    def _failed(self, place: EditedPlace, error: Exception) -> None:
        """Say why, and show the trajectory again that was closed for the edit."""
        self._say_refused(error, place)
        self._show(place.folder, place.step)

    def _say_refused(self, error: Exception, place: EditedPlace | None = None) -> None:
        workspace = self._current()
        place = place or (workspace.edited_place if workspace is not None else None)
        at = place.step if place is not None else 0
        say_refused(
            self._services,
            error,
            place.folder if place is not None else None,
            lambda copy: self._show(copy, at),
        )

    def _show(self, folder: Path, step: int) -> None:
        workspace = self._current()
        if workspace is not None:
            workspace.show_edited(folder, step)

    def _made(self, at: int, made: MadeEdit) -> None:
        self._show(made.folders[0], at)
        names = ", ".join(folder.name for folder in made.folders)
        self._services.toasts.show("ok", _("Done: {title}", title=made.title), names)

    # -- history -------------------------------------------------------------------
    def _move(self, move: Callable[..., None]) -> None:
        """Undo or redo the newest edit of the trajectory, whenever it was made."""
        place = self._place
        shown = while_alive(self, lambda made: self._show(made.folders[0], place.step))
        move(place.folder, shown, while_alive(self, partial(self._failed, place)))

    @Slot(object, int)
    def _returned(self, folder: Path, step: int) -> None:
        """Show what an undo or a redo brought back, where the person looks at trajectories."""
        if not self._services.recording.is_active:
            self._show(folder, step)

    def show_history(self) -> None:
        """List the edits of the open trajectory, with the steps before and after each."""
        folder = self._place.folder
        thumbnails = StateThumbnails(self._services.tasks)
        title = _("Edits of {id}", id=folder.name)
        dialog = EditHistoryDialog(title, thumbnails.cache, self._window.window())
        thumbnails.setParent(dialog)
        show_error = self._services.toasts.show_error

        def show(plan: EditPlan) -> None:
            shown = [step.folder for it in (*plan.before, *plan.after) for step in it.steps]
            thumbnails.follow({str(place): place for place in shown})
            dialog.show_strips(strips_of(plan))
            dialog.show_sentence("\n".join(plan.notes))

        def say(error: Exception) -> None:
            dialog.show_sentence(str(error))

        def choose(number: int) -> None:
            self._edits.plan_of_entry(folder, number, while_alive(dialog, show), while_alive(dialog, say))

        def read(history: ShownHistory) -> None:
            dialog.show_edits(_entries(history), history.undo_title, history.redo_title)
            dialog.open()

        def move(act: Callable[..., None]) -> None:
            dialog.accept()
            self._move(act)

        dialog.chosen.connect(choose)
        dialog.undo_asked.connect(partial(move, self._edits.undo))
        dialog.redo_asked.connect(partial(move, self._edits.redo))
        self._edits.history(folder, while_alive(dialog, read), show_error)


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
