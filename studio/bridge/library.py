"""The open project on the GUI's side: asked through jobs, read as one snapshot, told by signals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal, Slot

from collector.anomalies.command_trust import CommandTrust
from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.catalogue import Catalogue, CatalogueRow
from collector.store.check import check_project
from collector.store.names import inside
from collector.store.project import Project
from collector.store.reader import StoredTrajectory, open_trajectory
from collector.store.recover import recover
from collector.store.task_history import TaskHistory
from studio.bridge.jobs import Job, JobRunner

if TYPE_CHECKING:
    from collector.exchange.importing import ImportResult

RECENT = 24
"""Trajectories a snapshot carries; a view that wants more asks for them."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the window knows of a project: replaced whole, never changed."""

    folder: Path
    name: str
    trusted: bool
    tasks: tuple[Task, ...]
    golden: dict[str, int]
    """Task id -> golden trajectories."""
    counts: dict[str, int]
    """``golden`` and ``run`` -> trajectories of the project."""
    recent: tuple[CatalogueRow, ...]
    changed: dict[str, str] = field(default_factory=dict)
    """Task id -> when its newest trajectory began, ISO 8601."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Task id -> the first problem of its newest trajectory that has one."""

    reviews: dict[str, str] = field(default_factory=dict)
    """Task id -> what its golden trajectories were reviewed as, when all were."""

    def task(self, task_id: str) -> Task | None:
        return next((task for task in self.tasks if task.id == task_id), None)


class Library(QObject):
    """Owns the project that is open. All disk work runs in the serial executor of ``runner``."""

    opened = Signal(object)
    """The :class:`Snapshot` of a project just opened, or None when one was closed."""
    changed = Signal(object)
    """A newer :class:`Snapshot` of the same project."""
    checked = Signal(object)
    """A tuple of :class:`~collector.model.finding.Finding`."""
    imported = Signal(object)
    """The :class:`~collector.exchange.importing.ImportResult` of an import."""
    failed = Signal(object)
    """The error of anything that was asked for."""
    task_chosen = Signal(str)
    """Id of the task the person works on now; empty when none."""
    shown = Signal(object)
    """The :class:`~collector.store.reader.StoredTrajectory` a person wants to step through."""
    saved = Signal()
    """Something of the project reached the disk just now."""
    history_changed = Signal()
    """What undo and redo would do is another thing now."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._project: Project | None = None
        self.snapshot: Snapshot | None = None
        self.problems: tuple[Finding, ...] = ()
        self.history = TaskHistory()
        self.chosen = ""

    @property
    def project(self) -> Project | None:
        """For the recorder's writer; everything else reads :attr:`snapshot`."""
        return self._project

    # ---- opening -------------------------------------------------------------------------------

    def open(self, folder: Path) -> Job:
        """Open a project; ``opened`` follows, or ``failed``."""

        def work(_job: Job) -> tuple[Project, Snapshot]:
            project = Project.open(folder)
            # What the catalogue knew last is shown at once; ``refresh`` follows with what is new.
            return project, _snapshot(project, refresh=False)

        return self._run(work, self._took, _("Open {name}", name=folder.name))

    def create(self, folder: Path, name: str = "") -> Job:
        """Make a project in a new or empty folder and open it."""

        def work(_job: Job) -> tuple[Project, Snapshot]:
            project = Project.create(folder, name)
            return project, _snapshot(project)

        return self._run(work, self._took)

    def close(self) -> None:
        """Forget the project; its files need nothing."""
        self._project, self.snapshot, self.problems = None, None, ()
        self.history = TaskHistory()
        self.chosen = ""
        self.history_changed.emit()
        self.opened.emit(None)

    def refresh(self) -> Job | None:
        """Read what changed on the disk."""
        return self._on_project(lambda _project: None, self._renewed)

    # ---- tasks ---------------------------------------------------------------------------------

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks as edited last, on the disk or still on their way there."""
        return self.history.tasks

    def edit_tasks(self, title: str, tasks: Sequence[Task]) -> Job | None:
        """Make the project's tasks ``tasks`` and remember how to take it back, as "Undo ``title``"."""
        self.history.do(title, tuple(tasks))
        return self._save_tasks()

    def undo(self) -> Job | None:
        """Take back the last edit of the tasks."""
        return self._save_tasks() if self.history.undo() else None

    def redo(self) -> Job | None:
        """Make the edit taken back last again."""
        return self._save_tasks() if self.history.redo() else None

    def choose_task(self, task_id: str) -> None:
        """Say which task the person works on; every workspace follows."""
        if task_id != self.chosen:
            self.chosen = task_id
            self.task_chosen.emit(task_id)

    def _save_tasks(self) -> Job | None:
        wanted = self.history.tasks
        self.history_changed.emit()
        project = self._project
        if project is None:
            return None

        def work(_job: Job) -> Snapshot:
            project.save_tasks(wanted)
            return _snapshot(project, refresh=False)

        return self._runner.run(work, success=self._kept, failure=self._lost, serial=True)

    @Slot(object)
    def _kept(self, snapshot: Snapshot) -> None:
        self._renewed(snapshot)
        self.saved.emit()

    @Slot(object)
    def _lost(self, error: Exception) -> None:
        """The edit did not reach the disk: what is there is the truth again."""
        self.failed.emit(error)
        if self.snapshot is not None:
            self.history = TaskHistory(self.snapshot.tasks)
            self.history_changed.emit()
            self.changed.emit(self.snapshot)

    # ---- checking and importing ----------------------------------------------------------------

    def check(self) -> Job | None:
        """Verify everything; ``checked`` follows."""
        project = self._project
        if project is None:
            return None

        def work(job: Job) -> tuple[Finding, ...]:
            count = 0

            def progress(_folder: Path) -> None:
                nonlocal count
                count += 1
                job.report(count)

            return tuple(check_project(project, progress))

        return self._run(work, self._found, _("Check the project"))

    def import_path(self, path: Path, format_id: str = "auto") -> Job | None:
        """Import a folder, file or zip; ``imported`` and ``changed`` follow."""
        project = self._project
        if project is None:
            return None

        # Here and not above: a window that opens need not wait for the importers.
        from collector.exchange.importing import import_into

        def work(job: Job) -> tuple[ImportResult, Snapshot]:
            def progress(_name: str, count: int) -> None:
                job.report(count)
                if job.cancelled:
                    raise UserError(_("The import was stopped"), _("what was imported before is kept"))

            done = import_into(project, path, format_id, progress=progress)
            return done, _snapshot(project)

        return self._run(work, self._took_import, _("Import {name}", name=path.name))

    def show_folder(self, place: str) -> Job | None:
        """Read the trajectory in a folder of the project to step through; ``shown`` follows."""
        project = self._project
        if project is None:
            return None

        def work(_job: Job) -> StoredTrajectory:
            folder = Path(place)
            return open_trajectory(folder if folder.is_absolute() else inside(project.folder, place))

        return self._runner.run(work, success=self._show, failure=self._tell)

    def recover(self, place: str) -> Job | None:
        """Mend what a crash left in a trajectory's folder, and check everything again."""
        project = self._project
        if project is None:
            return None
        folder = project.folder / place
        return self._run(lambda _job: recover(folder), self._recovered, _("Recover {name}", name=folder.name))

    def trust(self, commands: Sequence[str]) -> Job | None:
        """The person looked at these shell commands and lets them run in this project."""
        return self._on_project(lambda project: CommandTrust(project).trust(commands), self._renewed)

    def distrust(self) -> Job | None:
        """Let no shell command of this project run any more."""
        return self._on_project(lambda project: CommandTrust(project).revoke(), self._renewed)

    def page(
        self, text: str, offset: int, limit: int, success: Callable[[tuple[int, list[CatalogueRow]]], object],
        failure: Callable[[Exception], object],
    ) -> Job | None:  # fmt: skip
        """A page of the trajectories that fit a query, newest first, and how many there are in all."""
        project = self._project
        if project is None:
            return None

        def work(_job: Job) -> tuple[int, list[CatalogueRow]]:
            with Catalogue(project) as catalogue:
                return catalogue.count(text), catalogue.find(text, limit=limit, offset=offset)

        return self._runner.run(work, success=success, failure=failure)

    # ---- how -----------------------------------------------------------------------------------

    def _run(self, work: Callable[[Job], Any], success: Callable[[Any], object], title: str = "") -> Job:
        return self._runner.run(work, title=title, success=success, failure=self._tell, serial=True)

    def _on_project(
        self, change: Callable[[Project], object], success: Callable[[Any], object]
    ) -> Job | None:
        project = self._project
        if project is None:
            return None

        def work(_job: Job) -> Snapshot:
            change(project)
            return _snapshot(project)

        return self._run(work, success)

    @Slot(object)
    def _took(self, result: tuple[Project, Snapshot]) -> None:
        self._project, self.snapshot = result
        self.problems = ()
        self.history = TaskHistory(result[1].tasks)
        self.chosen = ""
        self.history_changed.emit()
        self.opened.emit(self.snapshot)
        self.refresh()

    @Slot(object)
    def _renewed(self, snapshot: Snapshot) -> None:
        if self._project is not None and snapshot.folder == self._project.folder:
            self.snapshot = snapshot
            if self.history.meet(snapshot.tasks):
                self.history_changed.emit()
            self.changed.emit(snapshot)

    @Slot(object)
    def _recovered(self, _done: object) -> None:
        self.refresh()
        self.check()

    @Slot(object)
    def _show(self, stored: StoredTrajectory) -> None:
        self.shown.emit(stored)

    @Slot(object)
    def _found(self, problems: tuple[Finding, ...]) -> None:
        self.problems = problems
        self.checked.emit(problems)

    @Slot(object)
    def _took_import(self, result: tuple[ImportResult, Snapshot]) -> None:
        done, snapshot = result
        self._renewed(snapshot)
        self.imported.emit(done)

    @Slot(object)
    def _tell(self, error: Exception) -> None:
        self.failed.emit(error)


def _snapshot(project: Project, *, refresh: bool = True) -> Snapshot:
    """Read the catalogue; ``refresh`` looks at the files of all trajectories first."""
    if refresh:
        project.reload()
    with Catalogue(project) as catalogue:
        if refresh:
            catalogue.refresh()
        else:
            catalogue.refresh_tasks()
        summary = catalogue.summary()
        rows = catalogue.find(limit=RECENT)
    return Snapshot(
        project.folder,
        project.name,
        project.trusted,
        tuple(project.tasks),
        summary.golden,
        summary.kinds,
        tuple(rows),
        summary.newest,
        summary.troubled,
        summary.reviews,
    )
