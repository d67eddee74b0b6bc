"""The open project for the window: changed by jobs, read as one snapshot, reported by signals."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.command_trust import CommandTrust
from collector.judge.state_progress import state_progress
from collector.model.edit_stack import Call, Edit, EditStack
from collector.model.errors import UserError
from collector.model.essential_state import EssentialState
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.task import Task
from collector.store.catalogue import Catalogue, Progress
from collector.store.catalogue_row import CatalogueRow
from collector.store.errors import FromTheFuture, ReadOnly
from collector.store.layout import PROJECT_FILE
from collector.store.project import Project
from collector.store.project_snapshot import ProjectSnapshot, read_snapshot
from collector.store.reader import StoredTrajectory, open_trajectory
from collector.store.recover import recover
from collector.store.state_file import StateChange
from collector.store.state_renaming import rename_in_labels
from collector.store.task_merge import TaskConflict
from collector.store.trajectory_changes import TrajectoryChange, apply_change
from studio.bridge.jobs import Job, JobQueue, JobRunner
from studio.bridge.task_edits import TaskEdits, use_theirs

if TYPE_CHECKING:
    from collector.exchange.exchange_reports import ExchangeReport
    from collector.exchange.registry import Exporter

_INDEX_AFTER_MS = 1000
_log = logging.getLogger(__name__)


class ProjectLibrary(QObject):
    """Owns the open project. Edits run in the store's queue of ``runner``, long work in other queues."""

    opened = Signal(object)
    """The :class:`ProjectSnapshot` of a project that was opened, or None when it was closed."""
    changed = Signal(object)
    """A newer :class:`ProjectSnapshot` of the same project."""
    findings_changed = Signal()
    """:attr:`findings` are others, though no check has run."""
    checked = Signal(object)
    """A tuple of :class:`~collector.model.finding.Finding`."""
    imported = Signal(object)
    """The :class:`~collector.exchange.exchange_reports.ExchangeReport` of an import."""
    import_reports_read = Signal(object)
    export_formats_read = Signal(object)
    """The formats a project can be exported to, each an Exporter of ``collector.exchange.registry``."""
    exported = Signal(object)
    """The report of an export."""
    export_reports_read = Signal(object)
    """The reports of the imports into the project, newest first."""
    failed = Signal(object)
    """The error of a request that failed."""
    task_chosen = Signal(str)
    """Id of the task the person works on now; empty when none."""
    state_chosen = Signal(str, int)
    """Id of a trajectory, and the index of its state that the person looks at now."""
    reload_asked = Signal()
    """Files of the project that were read before are to be read again."""
    labels_changed = Signal()
    """Marks and judgements in stored trajectories are others now: whoever shows them reads them again."""
    saved = Signal()
    """Tasks were written to the disk."""
    labelled = Signal(object)
    """The folder of a trajectory in which Record wrote marks of the person."""
    leaving = Signal(object)
    """The folder of a trajectory that is about to be moved: whoever has it open closes it."""
    trajectory_changed = Signal(object)
    """The :class:`~collector.store.trajectory_changes.TrajectoryChange` that was made."""
    history_changed = Signal()
    """The tasks, or what undo and redo would do, are others now."""
    conflicted = Signal(object)
    """Tasks that another program changed too: a tuple of
    :class:`~collector.store.task_merge.TaskConflict`. What was typed here is kept."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._project: Project | None = None
        self.snapshot: ProjectSnapshot | None = None
        self.problems: tuple[Finding, ...] = ()
        """What the last check found."""
        self._file_findings: tuple[tuple[str, ...], tuple[Finding, ...]] = ((), ())
        self.person = ""
        """Who works in the window, as the settings say; an operator does not see every golden trajectory."""
        self.chosen = ""
        self.chosen_state: tuple[str, int] = ("", 0)
        """Trajectory and index of the recorded state that the person looks at."""
        self.stepped_folder: Path | None = None
        """Folder of the stored trajectory that is open to step through."""
        self.history = EditStack()
        """What was edited in the project and can be undone: its tasks, and whole trajectories."""
        self.history.changed.subscribe(lambda _event: self.history_changed.emit())
        self.edits = TaskEdits(runner, self.history, self)
        self.edits.changed.connect(self._tasks_changed)
        self.edits.saved.connect(self.saved)
        self.edits.states_saved.connect(self.reload_asked)
        self.edits.conflicted.connect(self.conflicted)
        self.edits.failed.connect(self._failed)
        self._indexing = QTimer(self, singleShot=True, interval=_INDEX_AFTER_MS)
        self._indexing.timeout.connect(self._index_tasks)
        runner.closing.connect(self._indexing.stop)

    @property
    def project(self) -> Project | None:
        """The project itself, for writers; views read :attr:`snapshot`."""
        return self._project

    # ---- opening -------------------------------------------------------------------------------

    def open(self, folder: Path) -> Job:
        """Open a project; ``opened`` follows, or ``failed``."""

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
            return project, _read_whole(project)

        return self._run(work, self._opened)

    def close(self) -> None:
        """Close the project."""
        self._project, self.snapshot, self.problems = None, None, ()
        self._file_findings = ((), ())
        self.chosen = ""
        self.chosen_state = ("", 0)
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

            return _read_whole(project, progress)

        return self._run(work, self._changed, queue=JobQueue.INDEX)

    def reload(self) -> None:
        """Read all files again that another program may have changed."""
        if self._project is not None:
            self.reload_asked.emit()
            self.edits.reload()
            self.refresh()

    # ---- tasks ---------------------------------------------------------------------------------

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The tasks as edited last, on the disk or still on their way there."""
        return self.edits.tasks

    @property
    def states(self) -> Mapping[str, EssentialState]:
        """The essential states by id, on the disk or on their way there."""
        return self.edits.states

    def edit_tasks(self, title: str, tasks: Sequence[Task], states: Sequence[StateChange] = ()) -> None:
        """Replace the project's tasks, and change essential states with them.

        ``title`` names the edit in "Undo ``title``".
        """
        try:
            if self._project is not None:
                self._project.require_writable()
        except ReadOnly as error:
            self.failed.emit(error)
            return
        self.edits.edit(title, tuple(tasks), states)

    def save_upgrade(self) -> None:
        """Write the states of an upgraded project, before a file names them; runs on a worker thread."""
        if self._project is not None:
            self._project.save_upgrade()

    def rename_state_in_labels(self, old: str, new: str) -> None:
        """Name a state by its new id in all that people and judges said; ``labels_changed`` follows."""
        project = self._project
        if project is None or project.is_read_only:
            return

        def work(_job: Job) -> int:
            from collector.states.renamed_states import rename_in_work  # loads what judges states

            return rename_in_labels(project, old, new) + rename_in_work(project, old, new)

        self._runner.run(
            work, success=self._labels_renamed, failure=self._failed, queue=JobQueue.STORE, saves=True
        )

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
            lambda _job: work(), success=report, failure=self._failed, queue=JobQueue.STORE, saves=True
        )

    @Slot(object)
    def _labels_renamed(self, count: int) -> None:
        if count:
            self.labels_changed.emit()
            self.refresh()

    def use_theirs(self, conflicts: Sequence[TaskConflict]) -> None:
        """Take the other program's version of tasks that both sides changed."""
        theirs = {conflict.task_id: conflict.theirs for conflict in conflicts}
        names = ", ".join(theirs)
        self.edit_tasks(_("use theirs: {tasks}", tasks=names), use_theirs(self.tasks, theirs))

    def choose_task(self, task_id: str) -> None:
        """Choose the task to work on; every workspace follows."""
        if task_id != self.chosen:
            self.chosen = task_id
            self.task_chosen.emit(task_id)

    def choose_state(self, trajectory_id: str, index: int) -> None:
        """Say which recorded state the person looks at; the Rules workspace follows."""
        if (trajectory_id, index) != self.chosen_state:
            self.chosen_state = trajectory_id, index
            self.state_chosen.emit(trajectory_id, index)

    @Slot()
    def _tasks_changed(self) -> None:
        """Show the tasks as they are now, and let searches find them a moment later."""
        snapshot = self.snapshot
        if snapshot is not None and (snapshot.tasks, snapshot.states) != (self.tasks, self.states):
            self.snapshot = replace(snapshot, tasks=self.tasks, states=self.states)
            self._indexing.start()
            self.changed.emit(self.snapshot)
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

    # ---- trajectories --------------------------------------------------------------------------

    def change_trajectory(
        self, folder: Path, change: Callable[[Project, Path], TrajectoryChange], *, is_announced: bool = True
    ) -> Job | None:
        """Delete, rename or duplicate a trajectory; it can be undone.

        ``trajectory_changed`` follows, unless the caller itself says what was done.
        """
        project = self._project
        if project is None:
            return None
        self.leaving.emit(folder)

        def work(_job: Job) -> tuple[TrajectoryChange, ProjectSnapshot]:
            return change(project, folder), _read_whole(project)

        def changed(result: tuple[TrajectoryChange, ProjectSnapshot]) -> None:
            self.history.add(self._edit_of(result[0]))
            self._changed(result[1])
            if is_announced:
                self.trajectory_changed.emit(result[0])

        return self._run(work, changed)

    def _edit_of(self, change: TrajectoryChange) -> Edit:
        """The change as an edit; it is forgotten once the trajectory is gone or another is in its place."""

        def run(move: Call, made: Call, refused: Call) -> None:
            def moved(_change: object) -> None:
                made()
                self.refresh()

            def not_moved(error: Exception) -> None:
                refused()
                self.failed.emit(error)
                self.refresh()

            for folder in (change.before, change.after):  # in one of them it is
                self.leaving.emit(folder)
            self._runner.run(
                lambda _job: move(), success=moved, failure=not_moved, queue=JobQueue.STORE, saves=True
            )

        return Edit(
            change.title, lambda: apply_change(change.reversed), lambda: apply_change(change), run=run
        )

    # ---- findings ------------------------------------------------------------------------------

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What the last check found, and what is known since of files that are edited."""
        files, newer = self._file_findings
        older = (finding for finding in self.problems if finding.where.partition(":")[0] not in files)
        return (*older, *newer)

    def set_file_findings(self, files: Sequence[str], findings: Sequence[Finding]) -> None:
        """Replace what is known of files that are edited; their names are relative to the project."""
        known = (tuple(files), tuple(findings))
        if known != self._file_findings:
            self._file_findings = known
            self.findings_changed.emit()

    # ---- checking and importing ----------------------------------------------------------------

    def check(self) -> Job | None:
        """Verify everything; ``checked`` follows."""
        project = self._project
        if project is None:
            return None

        # Imported here, so that the window opens without waiting for the linters.
        from collector.project_check.project_check import check_every_file

        def work(job: Job) -> tuple[Finding, ...]:
            count = 0

            def progress(_folder: Path) -> None:
                nonlocal count
                count += 1
                job.report(count)
                if job.cancelled:
                    raise UserError(_("The check was stopped"))

            return tuple(check_every_file(project, progress))

        return self._run(work, self._checked, _("Check the project"), queue=JobQueue.INDEX)

    def import_path(self, path: Path, format_id: str = "auto") -> Job | None:
        """Import a folder, file or zip; ``imported`` and ``changed`` follow."""
        project = self._project
        if project is None:
            return None

        # Imported here, so that the window opens without waiting for the importers.
        from collector.exchange.exchange_reports import import_with_report

        def work(job: Job) -> tuple[ExchangeReport, ProjectSnapshot]:
            def progress(_name: str, count: int) -> None:
                job.report(count)
                if job.cancelled:
                    raise UserError(_("The import was stopped"), _("what was imported before is kept"))

            _result, report = import_with_report(project, path, format_id, progress=progress)
            return report, _read_whole(project)

        title = _("Import {name}", name=path.name)
        return self._runner.run(
            work, title=title, success=self._imported, failure=self._import_failed, queue=JobQueue.LONG
        )

    def read_import_reports(self) -> Job | None:
        """Read the reports of earlier imports; ``import_reports_read`` follows."""
        project = self._project
        if project is None:
            return None

        from collector.exchange.exchange_reports import read_reports

        return self._run(lambda _job: read_reports(project), self._import_reports_read)

    def read_export_formats(self) -> Job | None:
        """Load the formats of exports; ``export_formats_read`` follows."""
        if self._project is None:
            return None

        def work(_job: Job) -> list[Exporter]:
            from collector.exchange.registry import exporters  # it loads every format

            return list(exporters().formats.values())

        return self._run(work, self._export_formats_read)

    def export(self, path: Path, format_id: str, *, replace: bool = False) -> Job | None:
        """Export the project; ``exported`` follows. With ``replace`` an earlier export may be replaced."""
        project = self._project
        if project is None:
            return None

        def work(job: Job) -> ExchangeReport:
            from collector.exchange.exchange_reports import export_with_report

            def progress(_name: str, count: int) -> None:
                job.report(count)
                if job.cancelled:
                    raise UserError(_("The export was stopped"), _("nothing was written"))

            return export_with_report(project, path, format_id, replace=replace, progress=progress)[1]

        return self._run(work, self._exported, _("Export to {name}", name=path.name))

    def read_export_reports(self) -> Job | None:
        """Read the reports of earlier exports; ``export_reports_read`` follows."""
        project = self._project
        if project is None:
            return None

        def work(_job: Job) -> list[ExchangeReport]:
            from collector.exchange.exchange_reports import read_reports

            return read_reports(project, of_exports=True)

        return self._run(work, self._export_reports_read)

    def open_visible(self, folder: Path) -> StoredTrajectory:
        """Read a trajectory that the person may see. Any thread. Raises UserError."""
        stored, project = open_trajectory(folder), self._project
        if project is not None:
            from collector.states.blindness import require_visible_golden

            require_visible_golden(project, stored.header, self.person)
        return stored

    def recover(self, place: str) -> Job | None:
        """Repair a trajectory whose recording was cut short, and check the project again."""
        project = self._project
        if project is None:
            return None
        folder = project.folder / place
        return self._run(lambda _job: recover(folder), self._recovered, _("Recover {name}", name=folder.name))

    def grant(self, request: TrustRequest) -> Job | None:
        """Let run and be sent what a person has looked at and agreed to."""
        return self._on_project(lambda project: request.grant(CommandTrust(project)), self._changed)

    def distrust(self) -> Job | None:
        """Let no shell command of this project run any more."""
        return self._on_project(lambda project: CommandTrust(project).revoke(), self._changed)

    def page(
        self, text: str, offset: int, limit: int, success: Callable[[tuple[int, list[CatalogueRow]]], object],
        failure: Callable[[Exception], object], *, after_refresh: bool = False,
    ) -> Job | None:  # fmt: skip
        """A page of the trajectories that fit a query, newest first, and how many there are in all.

        With ``after_refresh`` it is read when the project's files were, if they are being read now.
        """
        project = self._project
        if project is None:
            return None

        def work(_job: Job) -> tuple[int, list[CatalogueRow]]:
            with Catalogue(project) as catalogue:
                return catalogue.count(text), catalogue.find(text, limit=limit, offset=offset)

        queue = JobQueue.INDEX if after_refresh else JobQueue.POOL
        return self._runner.run(work, success=success, failure=failure, queue=queue)

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
            return _read_whole(project)

        return self._run(work, success)

    @Slot(object)
    def _opened(self, result: tuple[Project, ProjectSnapshot]) -> None:
        self._project, self.snapshot = None, None  # tasks that change now are not of the project before
        self.edits.open(result[0], result[1].states)
        self._project, self.snapshot = result
        self.problems, self._file_findings = (), ((), ())
        self.chosen = ""
        self.chosen_state = ("", 0)
        self.opened.emit(self.snapshot)
        self._report(result[0].damage)
        self.refresh()

    @Slot(object)
    def _changed(self, snapshot: ProjectSnapshot) -> None:
        if self._project is not None and snapshot.folder == self._project.folder:
            known = self.snapshot.findings if self.snapshot is not None else ()
            self.edits.take_stored(snapshot.states)
            self.snapshot = replace(snapshot, tasks=self.tasks, states=self.states)
            self.changed.emit(self.snapshot)
            # Damaged tasks are reported where they are read again.
            damage = (finding for finding in self._project.damage if finding.where == PROJECT_FILE)
            self._report(finding for finding in damage if finding not in known)

    def _report(self, damage: Iterable[Finding]) -> None:
        """Say once that files of the project are damaged; the list of problems keeps saying it."""
        for finding in damage:
            self.failed.emit(UserError(finding.what))

    @Slot(object)
    def _recovered(self, _done: object) -> None:
        self.refresh()
        self.check()

    @Slot(object)
    def _checked(self, problems: tuple[Finding, ...]) -> None:
        self.problems = problems
        self.checked.emit(problems)

    @Slot(object)
    def _imported(self, result: tuple[ExchangeReport, ProjectSnapshot]) -> None:
        report, snapshot = result
        self._changed(snapshot)
        if report.rules or report.tasks:  # with the tasks come essential states
            self.reload_asked.emit()
        self.imported.emit(report)

    @Slot(object)
    def _import_failed(self, error: Exception) -> None:
        self.failed.emit(error)
        self.refresh()  # what came in before the failure stays

    @Slot(object)
    def _export_formats_read(self, formats: list[Exporter]) -> None:
        self.export_formats_read.emit(formats)

    @Slot(object)
    def _exported(self, report: ExchangeReport) -> None:
        self.exported.emit(report)

    @Slot(object)
    def _export_reports_read(self, reports: list[ExchangeReport]) -> None:
        self.export_reports_read.emit(reports)

    @Slot(object)
    def _import_reports_read(self, reports: list[ExchangeReport]) -> None:
        self.import_reports_read.emit(reports)

    @Slot(object)
    def _failed(self, error: Exception) -> None:
        self.failed.emit(error)


def _read_whole(project: Project, progress: Progress | None = None) -> ProjectSnapshot:
    """A snapshot with how far the essential states are; without that while a rule file is damaged."""
    snapshot = read_snapshot(project, progress=progress)
    try:
        return replace(snapshot, state_progress=state_progress(project))
    except (UserError, OSError, sqlite3.Error):
        _log.info("essential states were not compared with verdicts", exc_info=True)
        return snapshot
