"""The open project on the GUI's side: asked through jobs, read as one snapshot, told by signals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from collector.exchange.importing import AUTO, Imported, import_into
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.words import _
from collector.store.catalogue import Catalogue, Row
from collector.store.check import Problem, check_project
from collector.store.project import Project
from collector.store.reader import StoredTrajectory, open_trajectory
from studio.bridge.tasks import Job, TaskRunner

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
    recent: tuple[Row, ...]
    changed: dict[str, str] = field(default_factory=dict)
    """Task id -> when its newest trajectory began, ISO 8601."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Task id -> the first problem of its trajectories."""

    def task(self, task_id: str) -> Task | None:
        return next((task for task in self.tasks if task.id == task_id), None)


class Library(QObject):
    """Owns the project that is open. All disk work runs in the serial executor of ``runner``."""

    opened = Signal(object)
    """The :class:`Snapshot` of a project just opened, or None when one was closed."""
    changed = Signal(object)
    """A newer :class:`Snapshot` of the same project."""
    checked = Signal(object)
    """A tuple of :class:`~collector.store.check.Problem`."""
    imported = Signal(object)
    """The :class:`~collector.exchange.importing.Imported` of an import."""
    failed = Signal(object)
    """The error of anything that was asked for."""

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._project: Project | None = None
        self.snapshot: Snapshot | None = None
        self.problems: tuple[Problem, ...] = ()

    @property
    def project(self) -> Project | None:
        """For the recorder's writer; everything else reads :attr:`snapshot`."""
        return self._project

    # ---- opening -------------------------------------------------------------------------------

    def open(self, folder: Path) -> Job:
        """Open a project; ``opened`` follows, or ``failed``."""

        def work(_job: Job) -> tuple[Project, Snapshot]:
            project = Project.open(folder)
            return project, _snapshot(project)

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
        self.opened.emit(None)

    def refresh(self) -> Job | None:
        """Read what changed on the disk."""
        return self._on_project(lambda _project: None, self._renewed)

    # ---- tasks ---------------------------------------------------------------------------------

    def save_tasks(self, tasks: Sequence[Task]) -> Job | None:
        """Make the project's tasks ``tasks``."""
        wanted = tuple(tasks)
        return self._on_project(lambda project: project.save_tasks(wanted), self._renewed)

    # ---- checking and importing ----------------------------------------------------------------

    def check(self) -> Job | None:
        """Verify everything; ``checked`` follows."""
        project = self._project
        if project is None:
            return None

        def work(job: Job) -> tuple[Problem, ...]:
            count = 0

            def progress(_folder: Path) -> None:
                nonlocal count
                count += 1
                job.report(count)

            return tuple(check_project(project, progress))

        return self._run(work, self._found, _("Check the project"))

    def import_path(self, path: Path, format_id: str = AUTO) -> Job | None:
        """Import a folder, file or zip; ``imported`` and ``changed`` follow."""
        project = self._project
        if project is None:
            return None

        def work(job: Job) -> tuple[Imported, Snapshot]:
            def progress(_name: str, count: int) -> None:
                job.report(count)
                if job.cancelled:
                    raise UserError(_("The import was stopped"), _("what was imported before is kept"))

            done = import_into(project, path, format_id, progress=progress)
            return done, _snapshot(project)

        return self._run(work, self._took_import, _("Import {name}", name=path.name))

    def load(self, row: Row, success: Callable[[StoredTrajectory], object]) -> Job | None:
        """Read one trajectory; ``success`` (a bound method of a QObject) gets it."""
        project = self._project
        if project is None:
            return None
        folder = project.folder / row.folder
        return self._runner.run(lambda _job: open_trajectory(folder), success=success, failure=self._tell)

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
        self.opened.emit(self.snapshot)

    @Slot(object)
    def _renewed(self, snapshot: Snapshot) -> None:
        if self._project is not None and snapshot.folder == self._project.folder:
            self.snapshot = snapshot
            self.changed.emit(snapshot)

    @Slot(object)
    def _found(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        self.checked.emit(problems)

    @Slot(object)
    def _took_import(self, result: tuple[Imported, Snapshot]) -> None:
        done, snapshot = result
        self._renewed(snapshot)
        self.imported.emit(done)

    @Slot(object)
    def _tell(self, error: Exception) -> None:
        self.failed.emit(error)


def _snapshot(project: Project) -> Snapshot:
    """Read the catalogue, brought up to date first."""
    project.reload()
    with Catalogue(project) as catalogue:
        catalogue.refresh()
        golden = catalogue.golden_counts()
        rows = catalogue.find()
    changed: dict[str, str] = {}
    damaged: dict[str, str] = {}
    counts: dict[str, int] = {}
    for row in rows:
        changed.setdefault(row.task, row.started)
        counts[row.kind] = counts.get(row.kind, 0) + 1
        if row.problem:
            damaged.setdefault(row.task, row.problem)
    return Snapshot(
        project.folder,
        project.name,
        project.trusted,
        tuple(project.tasks),
        golden,
        counts,
        tuple(rows[:RECENT]),
        changed,
        damaged,
    )
