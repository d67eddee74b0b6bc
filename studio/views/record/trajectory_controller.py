"""Commands that open and close a stored trajectory."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QWidget

from collector.model.errors import UserError
from collector.model.i18n import _, ngettext
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.files.layout import TRASH
from collector.store.files.names import inside
from collector.store.project.trajectory_changes import TrajectoryChange
from collector.store.trajectory.reader import StoredTrajectory
from studio.bridge.while_alive import while_alive
from studio.views.record.session import RecordSession
from studio.views.services import WindowServices
from studio.views.trajectory_edits.recorded_edit import RecordedEdit
from studio.views.trajectory_edits.refused_edit import say_refused


class TrajectoryController(QObject):
    """Reads trajectories behind the window and opens them in the session."""

    opened = Signal()
    """A stored trajectory was opened and Record is in front."""

    def __init__(self, session: RecordSession, services: WindowServices, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._services = session, services
        self._asked_for = (Path(), 0)
        self.recorded = RecordedEdit(services, window)
        """Shows what was recorded into a finished trajectory."""
        services.commander.handle("record.close-trajectory", session.close)
        services.commander.handle("record.open-trajectory", self.open_by_name)
        services.commander.handle("record.open-task", self.open_newest_of)
        services.trajectories.changed.connect(self._open_changed)

    def open_by_name(self, folder: str = "", step: str = "") -> None:
        """Open a trajectory of the project, the latest one when no folder is named.

        ``step`` is the index of the step to show, from 0; the first step by default.
        """
        project_library = self._services.project_library
        if project_library.project is None or project_library.snapshot is None:
            raise UserError(_("No project is open"))
        index = int(step) if step.isdecimal() else 0
        if folder:
            path = Path(folder)
            self.open(path if path.is_absolute() else inside(project_library.project.folder, folder), index)
        else:
            self._open_latest(index)

    def _open_latest(self, step: int) -> None:
        """Open the latest trajectory. A project that was opened a moment ago is read to its end first."""
        toasts = self._services.toasts

        def show(page: tuple[int, list[CatalogueRow]]) -> None:
            project = self._services.project_library.project
            if project is not None and page[1]:
                self.open(project.folder / page[1][0].folder, step)
            else:
                no_trajectory = _("This project has no trajectory yet")
                toasts.show_error(UserError(no_trajectory, "", _("Record one")))

        self._services.trajectories.page(
            "", 0, 1, while_alive(self, show), toasts.show_error, after_refresh=True
        )

    @Slot(str)
    def open_newest_of(self, task: str = "") -> None:
        """Open the newest trajectory of ``task``, by default the chosen one, in Record."""
        task_id = task or self._session.task_id
        if not task_id:
            raise UserError(_("No task is chosen"), "", _("Choose one in the queue, or make one in Project"))
        toasts = self._services.toasts
        if self._services.recording.is_active:
            toasts.show("warn", _("A recording is running"), _("Finish it first"))
            return

        def show(page: tuple[int, list[CatalogueRow]]) -> None:
            project = self._services.project_library.project
            if project is not None and page[1]:
                self.open(project.folder / page[1][0].folder)
            else:
                self._offer_recording(task_id)

        query = f'task:"{task_id}"'
        self._services.trajectories.page(query, 0, 1, while_alive(self, show), toasts.show_error)

    def _offer_recording(self, task_id: str) -> None:
        """Choose a task without trajectories, where it can be recorded."""
        commander = self._services.commander
        commander.run("view.record")
        self._session.choose_task(task_id)
        self._services.toasts.show(
            "info",
            _("{task} has no trajectory yet", task=task_id),
            action=commander.registry["record.start"].label,
            act=partial(self._services.run_command, "record.start"),
        )

    @Slot(object)
    def open(self, folder: Path, step: int = 0) -> None:
        """Read the trajectory in ``folder`` and show it from the step with index ``step``."""
        self._asked_for = (folder, step)
        trajectories = self._services.trajectories
        self._services.tasks.run(
            lambda _job: trajectories.open_visible(folder),
            success=self._read,
            failure=self._services.toasts.show_error,
        )

    @Slot(object)
    def _open_changed(self, change: TrajectoryChange) -> None:
        """Show the copy, or the trajectory under its new id, in place of the one that was closed for it."""
        at, self._session.left_at = self._session.left_at, None
        if at is not None and TRASH not in change.after.parts and self._services.commander.scope == "record":
            self.open(change.after, at)

    @Slot()
    def hide_from_operator(self) -> None:
        """Close the golden trajectory of another operator while the person's own proposal is open."""
        header = self._session.header
        if self._session.editor is None or header is None:
            return
        reason = self._services.state_reviews.hidden_reason(header.task_id, header.kind, header.who)
        if reason:
            self._session.close()
            self._services.toasts.show("info", _("{id} is not shown", id=header.id), reason)

    @Slot(object)
    def open_again(self, folder: Path) -> None:
        """Open a trajectory whose recording was closed, at the step that was recorded anew."""
        self.open(folder, self.recorded.end(folder))

    @Slot(object)
    def say_refused(self, error: Exception) -> None:
        """Say why an edit of the open trajectory was refused."""
        at = self._session.current
        say_refused(self._services, error, self._session.folder, lambda copy: self.open(copy, at))

    @Slot(object)
    def _read(self, stored: StoredTrajectory) -> None:
        toasts = self._services.toasts
        folder, step = self._asked_for
        if stored.header.is_run:
            # Nobody changes the steps of a run: it is looked at beside its golden trajectory.
            self._services.run_command("review.open", folder=str(stored.folder), step=str(self._asked_for[1]))
            return
        if self._services.recording.is_active:
            toasts.show("warn", _("A recording is running"), _("Finish it first"))
            return
        self._services.commander.run("view.record")
        self._session.open(stored)
        self._session.go(step if folder == stored.folder else 0)
        self.recorded.show(stored.header, stored.folder, stored.steps)
        self.opened.emit()
        if stored.problems:
            count = len(stored.problems)
            sentence = ngettext(
                "{count} problem in this trajectory", "{count} problems in this trajectory", count
            )
            toasts.show("warn", sentence, stored.problems[0])
