"""The open project for the window: changed by jobs, read as one snapshot, reported by signals."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.trust.command_trust import CommandTrust
from collector.judge.progress.progress_of_states import state_progress
from collector.model.editing.edit_stack import EditStack
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.store.catalogue.catalogue import Catalogue, Progress
from collector.store.catalogue.project_snapshot import ProjectSnapshot, read_snapshot
from collector.store.files.errors import FromTheFuture
from collector.store.files.layout import PROJECT_FILE
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.standing_errors import StandingErrors
from studio.bridge.task_edits import TaskEdits
from studio.bridge.while_alive import while_alive

_INDEX_AFTER_MS = 1000
_log = logging.getLogger(__name__)


class ProjectLibrary(QObject):
    """Owns the open project. Edits run in the store's queue of ``runner``, long work in other queues."""

    opened = Signal(object)
    """The :class:`ProjectSnapshot` of a project that was opened, or None when it was closed."""
    changed = Signal(object)
    """A newer :class:`ProjectSnapshot` of the same project."""
    failed = Signal(object)
    """The error of a request that failed."""
    reload_asked = Signal()
    """Files of the project that were read before are to be read again."""
    history_changed = Signal()
    """The tasks, or what undo and redo would do, are others now."""

    def __init__(
        self, runner: JobRunner, parent: QObject | None = None,
        together: Callable[[], AbstractContextManager[object]] = nullcontext,
    ) -> None:  # fmt: skip
        """``together`` is entered while a snapshot is emitted: what many views then change is shown once."""
        super().__init__(parent)
        self._runner = runner
        self._together = together
        self._project: Project | None = None
        self.snapshot: ProjectSnapshot | None = None
        self.person = ""
        """Who works in the window, as the settings say; an operator does not see every golden trajectory."""
        self.history = EditStack()
        """What was edited in the project and can be undone: its tasks, and whole trajectories."""
        self.history.changed.subscribe(lambda _event: self.history_changed.emit())
        self.edits = TaskEdits(runner, self.history, self)
        self.edits.keep_used(lambda: self.snapshot.changed if self.snapshot is not None else ())
        self.edits.changed.connect(self._tasks_changed)
        self.edits.states_saved.connect(self.reload_asked)
        self.edits.failed.connect(self._failed)
        self._damage = StandingErrors(runner, self.failed.emit)
        self._indexing = QTimer(self, singleShot=True, interval=_INDEX_AFTER_MS)
        self._indexing.timeout.connect(self._index_tasks)
        runner.closing.connect(self._indexing.stop)

    @property
    def project(self) -> Project | None:
        """The project itself, for writers; views read :attr:`snapshot`."""
        return self._project

    @property
    def folder(self) -> Path | None:
        """The folder of the project; None when no project is open."""
        return self._project.folder if self._project is not None else None

    # ---- opening -------------------------------------------------------------------------------

    def is_open(self, folder: Path) -> bool:
        """Whether the project in ``folder`` is the open one."""
        project = self._project
        return project is not None and project.folder.resolve() == folder.resolve()

    def open(self, folder: Path) -> Job:
        """Open a project; ``opened`` follows, or ``failed``. One that is open forgets what can be undone."""

        def work(_job: Job) -> tuple[Project, ProjectSnapshot]:
            project = Project.open(folder, allow_damage=True)
            if isinstance(project.tasks_error, FromTheFuture):
                raise project.tasks_error
            # Show what the catalogue has at once; ``refresh`` follows with what is new.
            return project, read_snapshot(project, refresh=False)

        return self._run(work, self._opened, _("Open {name}", name=folder.name))

    def create(self, folder: Path, name: str = "") -> Job:
        """Create a project in a new or empty folder and open it."""

        def work(_job: Job) -> tuple[Project, ProjectSnapshot]:
            project = Project.create(folder, name)
            return project, read_whole(project)

        return self._run(work, self._opened)

    def close(self) -> None:
        """Close the project."""
        self._project = self.snapshot = None
        self.edits.open(None)
        self.opened.emit(None)

    def refresh(self) -> Job | None:
        """Read what changed on the disk."""
        project = self._project
        if project is None:
            return None

        def work(job: Job) -> ProjectSnapshot:
            def progress(_count: int, _total: int) -> None:
                if job.cancelled:
                    raise UserError(_("The reading of the project was stopped"))

            return read_whole(project, progress)

        return self._run(work, self.take, queue=JobQueue.INDEX)

    def reload(self) -> None:
        """Read all files again that another program may have changed."""
        if self._project is not None:
            self.reload_asked.emit()
            self.edits.reload()
            self.refresh()

    # ---- tasks ---------------------------------------------------------------------------------

    def change_files(self, work: Callable[[], Sequence[UserError]]) -> None:
        """Change other files of the project on a worker thread, behind the edits of before.

        ``failed`` follows for each error that ``work`` returns.
        """
        if self._project is None or self._project.is_read_only:
            return

        def report(errors: Sequence[UserError]) -> None:
            for error in errors:
                self.failed.emit(error)

        self._runner.run(
            lambda _job: work(), success=while_alive(self, report), failure=self._failed,
            queue=JobQueue.STORE, saves=True,
        )  # fmt: skip

    @Slot()
    def _tasks_changed(self) -> None:
        """Show the tasks as they are now, and let searches find them a moment later."""
        snapshot, tasks, states = self.snapshot, self.edits.tasks, self.edits.states
        if snapshot is not None and (snapshot.tasks, snapshot.states) != (tasks, states):
            self.snapshot = replace(snapshot, tasks=tasks, states=states)
            self._indexing.start()
            self.changed.emit(self.snapshot)
        self._end_damage()
        self.history_changed.emit()

    @Slot()
    def _index_tasks(self) -> None:
        project = self._project
        if project is None:
            return

        def work(_job: Job) -> None:
            with Catalogue(project) as catalogue:
                catalogue.refresh_tasks()

        self._runner.run(work, queue=JobQueue.INDEX)

    def grant(self, request: TrustRequest) -> Job | None:
        """Let run and be sent what a person has looked at and agreed to."""
        return self._on_project(lambda project: request.grant(CommandTrust(project)), self.take)

    def distrust(self) -> Job | None:
        """Let no shell command of this project run any more."""
        return self._on_project(lambda project: CommandTrust(project).revoke(), self.take)

    # ---- jobs and their answers ----------------------------------------------------------------

    def _run(
        self, work: Callable[[Job], Any], success: Callable[[Any], object], title: str = "",
        queue: JobQueue = JobQueue.LONG,
    ) -> Job:  # fmt: skip
        return self._runner.run(work, title=title, success=success, failure=self._failed, queue=queue)

    def _on_project(
        self, change: Callable[[Project], object], success: Callable[[Any], object]
    ) -> Job | None:
        project = self._project
        if project is None:
            return None

        def work(_job: Job) -> ProjectSnapshot:
            change(project)
            return read_whole(project)

        return self._run(work, success)

    @Slot(object)
    def _opened(self, result: tuple[Project, ProjectSnapshot]) -> None:
        self._project, self.snapshot = None, None  # tasks that change now are not of the project before
        self.edits.open(result[0], result[1].states)
        self._project, self.snapshot = result
        self._damage.end_others(())
        with self._together():
            self.opened.emit(self.snapshot)
        self._report(result[0].damage)
        self.refresh()

    @Slot(object)
    def take(self, snapshot: ProjectSnapshot) -> None:
        """Show what a job read of the project; ``changed`` follows, unless another project is open now."""
        if self._project is not None and snapshot.folder == self._project.folder:
            self.edits.take_stored(snapshot.states)
            self.snapshot = replace(snapshot, tasks=self.edits.tasks, states=self.edits.states)
            with self._together():
                self.changed.emit(self.snapshot)
            # Damaged tasks are reported where they are read again.
            self._report(finding for finding in self._project.damage if finding.where == PROJECT_FILE)
            self._end_damage()

    def _report(self, damage: Iterable[Finding]) -> None:
        """Say once that files of the project are damaged; the list of problems keeps saying it."""
        for finding in damage:
            self._damage.begin(finding.where, UserError(finding.what))

    def _end_damage(self) -> None:
        """Say it no more of files that can be read again."""
        project = self._project
        self._damage.end_others({finding.where for finding in project.damage} if project is not None else ())

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self.failed.emit(error)


def read_whole(project: Project, progress: Progress | None = None) -> ProjectSnapshot:
    """Read a snapshot with how far the essential states are; without that while a rule file is damaged."""
    from collector.run.results.stale_results import note_stale_results

    snapshot = read_snapshot(project, progress=progress)
    try:
        with Catalogue(project) as catalogue:
            note_stale_results(project, catalogue)
        return replace(snapshot, state_progress=state_progress(project))
    except (UserError, OSError, sqlite3.Error):
        _log.info("essential states were not compared with verdicts", exc_info=True)
        return snapshot
