"""The session of the Run workspace: the experiment in hand, its run as it goes on, and what is selected.

Panels and controllers read :attr:`RunSession.progress` and listen to the signals. They change nothing
themselves: the runner is another process, which says what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.control.requests import RunRequest, SteerWorker, StopRun
from collector.run.cycle.steering.control import ControlCommand
from collector.run.events import RunEvent, ScreenObserved
from collector.run.experiment.model import Cell, Experiment
from collector.run.progress import CellProgress, RunProgress, WorkerProgress
from collector.store.catalogue.project_snapshot import ProjectSnapshot
from studio.bridge import JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.runs.experiment_reading import LoadedExperiment
from studio.bridge.runs.experiments import Experiments, ExperimentsState
from studio.bridge.runs.run_attachment import Attachment, RunAttachment, RunnerFailure
from studio.settings import Settings

STOPPING = "stopping"
"""A state of :class:`collector.run.progress.RunProgress`."""


@dataclass(frozen=True, slots=True)
class RunSessionState:
    """What was chosen."""

    experiment: str
    cell: str
    worker: str
    experiments: ExperimentsState | None = None


class RunSession(QObject):
    """Holds what is chosen and what is known about it. Panels and controllers listen to its signals."""

    project_opened = Signal()
    """Another project is open, or none."""
    experiments_changed = Signal()
    """The project has other experiments."""
    experiment_chosen = Signal(str)
    """Name of the experiment in hand; empty for none. Its matrix and what is stored of it follow."""
    experiment_changed = Signal()
    """The file of the experiment was read: its matrix, diagnostics and stored results are known."""
    run_changed = Signal()
    """A run began, ended, was paused or goes on, or the window was attached to it or lost it."""
    progress_changed = Signal()
    """Counts, pace or time left changed; at most once for all events that arrived together."""
    workers_changed = Signal()
    """The run has other workers, or one of them changed its state."""
    worker_changed = Signal(str)
    """A worker's episode went on: read ``progress.workers[name]``."""
    picture_changed = Signal(str)
    """A worker's screen: read ``progress.workers[name].picture``. Older pictures were left out."""
    cells_changed = Signal(object)
    """Ids of the cells that have another status, as a frozenset."""
    log_changed = Signal(str)
    """The log of a cell has more lines: read ``progress.log_of(cell)``."""
    cell_selected = Signal(str)
    """Id of the selected cell; empty for none."""
    worker_selected = Signal(str)
    """Name of the selected worker; empty for none. Its cell is selected, too."""
    edit_refused = Signal()
    """An edit failed: the panels have to show what the file says."""
    history_changed = Signal()
    """There is something else to undo or redo."""
    failed = Signal(object)
    """An exception for the person."""

    def __init__(
        self, project_library: ProjectLibrary, runner: JobRunner, settings: Settings,
        parent: QObject | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.project_library = project_library
        self._settings = settings
        self.experiments = Experiments(runner, self)
        self.files: Mapping[str, Path] = {}
        """The experiments of the project: name -> file."""
        self.is_listed = False
        """Whether the experiments of the open project are known."""
        self.name = ""
        """Name of the experiment in hand; empty when the project has none."""
        self.loaded: LoadedExperiment | None = None
        """Its file as it was read; None until then."""
        self.is_unreadable = False
        """Whether its file was refused, and nothing is known of it."""
        self._cells_by_id: Mapping[str, Cell] = {}
        self.progress = RunProgress()
        """The run of the experiment in hand: cells with their stored outcomes, and live workers."""
        self.selected_cell = ""
        self.selected_worker = ""
        self._wanted = RunSessionState("", "", "")
        self._is_stop_asked = False
        self.follows_worker = False
        """Whether the selection is of a worker, whose newest episode is then selected."""
        self.experiments.listed.connect(self._listed)
        self.experiments.loaded.connect(self._loaded)
        self.experiments.wanted.connect(self._follow_wanted)
        self.experiments.history_changed.connect(self.history_changed)
        self.experiments.failed.connect(self._refused)
        self.runs = RunAttachment(runner, self)
        self.runs.arrived.connect(self.take_events)
        self.runs.changed.connect(self.run_changed)
        self.runs.lost.connect(self._runner_lost)
        self.runs.ended.connect(self._run_ended)
        self.runs.failed.connect(self._request_failed)
        self.runs.start_failed.connect(self._start_failed)
        project_library.opened.connect(self._project_opened)
        project_library.changed.connect(self._project_changed)

    # -- what is known -------------------------------------------------------
    @property
    def folder(self) -> Path | None:
        """The folder of the project; None when no project is open."""
        return self.project_library.folder

    @property
    def person(self) -> str:
        """Who works in the window; the name that takes over."""
        return str(self._settings["recording.author"]).strip()

    @property
    def is_offline(self) -> bool:
        """Whether the experiment in hand asks golden steps, and has no phones."""
        return self.experiment is not None and self.experiment.offline is not None

    @property
    def experiment(self) -> Experiment | None:
        """The experiment in hand, without the parts that cannot be read; None until it was read."""
        return self.loaded.experiment if self.loaded is not None else None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The matrix of the experiment in hand, in the order of its runs."""
        return self.loaded.cells if self.loaded is not None else ()

    def cell(self, cell_id: str) -> Cell | None:
        """A cell of the matrix by its id."""
        return self._cells_by_id.get(cell_id)

    def result(self, cell_id: str) -> CellProgress:
        """What is known of a cell; a cell nothing is known of is waiting."""
        return self.progress.cells.get(cell_id, CellProgress(cell_id))

    @property
    def stale(self) -> tuple[str, ...]:
        """The parts that changed since results of the experiment were stored; empty when none is stale."""
        cells = self.progress.cells.values()
        return tuple(
            sorted({part for cell in cells if self.cell(cell.id) is not None for part in cell.stale})
        )

    def trajectory_folder(self, cell_id: str) -> Path | None:
        """Where the newest episode of a cell is or will be stored; None before its first."""
        cell, project = self.cell(cell_id), self.project_library.project
        name = self.result(cell_id).trajectory
        if cell is None or project is None or not name:
            return None
        return project.paths.trajectories_of(cell.task) / name

    @property
    def workers(self) -> tuple[WorkerProgress, ...]:
        """The workers of the run in their order, without those that were closed."""
        return tuple(worker for worker in self.progress.workers.values() if worker.state != "closed")

    @property
    def is_running(self) -> bool:
        """Whether a runner that the window is attached to works on the experiment in hand."""
        return self.progress.is_running

    @property
    def is_active(self) -> bool:
        """Whether the experiment is being run or started, here or elsewhere: it cannot be edited."""
        return self.runs.state is not Attachment.NONE or self.name in self.runs.elsewhere

    @property
    def is_stopping(self) -> bool:
        """Whether the run is asked to end, and its last episodes are being ended."""
        return self.is_running and (self._is_stop_asked or self.progress.state == STOPPING)

    @property
    def is_read_only(self) -> bool:
        """Whether this account may only read the project."""
        project = self.project_library.project
        return project is None or project.is_read_only

    # -- opening -------------------------------------------------------------
    def start(self) -> None:
        """Follow the project that is open now; call it once all listeners are connected."""
        self._project_opened(self.project_library.snapshot)

    @Slot(object)
    def _project_opened(self, _snapshot: ProjectSnapshot | None) -> None:
        self.files, self.is_listed = {}, False
        self._choose("")
        self.experiments.open(self.project_library.project)
        self.runs.open(self.folder)
        self.project_opened.emit()
        self.experiments_changed.emit()

    @Slot(object)
    def _project_changed(self, _snapshot: ProjectSnapshot) -> None:
        if not self.is_running:  # what a run stores is told by its events
            self.experiments.reload()

    def set_in_front(self, in_front: bool) -> None:
        """Look for runs while the workspace is looked at, and catch up when it comes to the front."""
        self.runs.set_in_front(in_front)
        if in_front and not self.is_running:
            self.experiments.reload()

    @Slot(object)
    def _listed(self, files: Mapping[str, Path]) -> None:
        is_other = dict(files) != dict(self.files) or not self.is_listed
        self.files, self.is_listed = files, True
        if is_other:
            self.experiments_changed.emit()
        wanted = self._wanted.experiment
        if wanted in files:
            self._wanted = RunSessionState("", "", "")
            self.choose(wanted)
        elif self.name not in files:
            self._choose(next((name for name in self.runs.running if name in files), next(iter(files), "")))

    @Slot(str)
    def _follow_wanted(self, name: str) -> None:
        if name in self.files:
            self.choose(name)
        else:
            self._wanted = RunSessionState(name, "", "")

    # -- choosing ------------------------------------------------------------
    def choose(self, name: str) -> None:
        """Take another experiment of the project in hand."""
        if name != self.name and name in self.files:
            self._choose(name)

    def _choose(self, name: str) -> None:
        self.name, self.loaded, self._cells_by_id = name, None, {}
        self.is_unreadable = False
        self._is_stop_asked = False
        self.progress = RunProgress()
        self.select_cell("")
        self.runs.follow(name)
        self.experiments.follow(name)
        self.experiment_chosen.emit(name)
        self.workers_changed.emit()
        self.run_changed.emit()
        self.progress_changed.emit()

    def select_cell(self, cell_id: str) -> None:
        """Select a cell of the matrix, and the worker that runs it; an empty id selects none."""
        worker = self.progress.worker_of(cell_id) if cell_id else None
        self.follows_worker = False
        self._select(cell_id, worker.name if worker is not None else "")

    def select_worker(self, name: str) -> None:
        """Select a worker, and the cell that it runs or ran last; an empty name selects none."""
        worker = self.progress.workers.get(name)
        self.follows_worker = worker is not None
        self._select(_newest_cell(worker), name if worker is not None else "")

    def _select(self, cell_id: str, worker: str) -> None:
        before = self.selected_cell, self.selected_worker
        self.selected_cell, self.selected_worker = cell_id, worker
        if cell_id != before[0]:
            self.cell_selected.emit(cell_id)
        if worker != before[1]:
            self.worker_selected.emit(worker)

    # -- the run -------------------------------------------------------------
    @Slot(object)
    def _loaded(self, loaded: LoadedExperiment) -> None:
        if loaded.name != self.name:
            return
        self.loaded = loaded
        self._cells_by_id = {cell.id: cell for cell in loaded.cells}
        self.progress.plan(loaded.cells, loaded.earlier)
        self.experiment_changed.emit()
        self.progress_changed.emit()

    @Slot()
    def _runner_lost(self) -> None:
        """Show that nothing runs any more, before anything is known of why."""
        progress = self.progress
        progress.lose(_("The runner is gone. What it stored is kept; Resume goes on where it was"))
        self.workers_changed.emit()
        for name in progress.workers:
            self.worker_changed.emit(name)
        self.cells_changed.emit(progress.take_changed())
        self.run_changed.emit()
        self.progress_changed.emit()

    @Slot(bool)
    def _run_ended(self, _is_known: bool) -> None:
        """Read what the run stored: it is the truth."""
        self._is_stop_asked = False
        self.experiments.reload()

    @Slot(object)
    def _request_failed(self, error: Exception) -> None:
        if self._is_stop_asked:  # the run may not have heard of it
            self._is_stop_asked = False
            self.run_changed.emit()
        self.failed.emit(error)

    @Slot(object)
    def _start_failed(self, _failure: RunnerFailure) -> None:
        self.experiments.reload()

    def steer(self, worker: str, command: ControlCommand) -> None:
        """Send a command to the episode of a worker; events say what came of it."""
        self.runs.send(SteerWorker(worker, command))

    def request(self, request: RunRequest) -> None:
        """Send a request to the runner; events say what came of it."""
        self.runs.send(request)
        if isinstance(request, StopRun):
            self._is_stop_asked = True
            self.run_changed.emit()

    @Slot(object)
    def take_events(self, events: Sequence[RunEvent]) -> None:
        """Take events of the runner in their order; of a worker's pictures only the newest is announced."""
        progress = self.progress
        before, standing = (progress.how, progress.state, progress.reason), _standing(progress)
        workers = dict(progress.workers)
        logged, pictured = set(), set()
        for event in events:
            progress.apply(event)
            logged.add(str(getattr(event, "cell", "")))
            if isinstance(event, ScreenObserved) and event.picture:
                pictured.add(event.worker)
        if _standing(progress) != standing:
            self.workers_changed.emit()
        if (progress.how, progress.state, progress.reason) != before:
            self.run_changed.emit()
        if self.follows_worker and self.selected_worker in progress.workers:
            self.select_worker(self.selected_worker)
        for name, worker in progress.workers.items():
            if workers.get(name) != worker:
                self.worker_changed.emit(name)
            if name in pictured:
                self.picture_changed.emit(name)
        if changed := progress.take_changed():
            self.cells_changed.emit(changed)
        for cell in sorted(logged - {""}):
            self.log_changed.emit(cell)
        self.progress_changed.emit()

    # -- editing -------------------------------------------------------------
    def edit(self, title: str, change: Callable[[str], str], merge_key: str = "") -> bool:
        """Change the text of the experiment in hand by a function of its text. Return False when that fails.

        ``title`` names the edit in the history; edits with the same ``merge_key`` in a row are one.
        """
        try:
            if self.project_library.project is not None:
                self.project_library.project.require_writable()
            self.experiments.edit(title, change, merge_key)
        except UserError as error:
            self._refused(error)
            return False
        return True

    @Slot(object)
    def _refused(self, error: Exception) -> None:
        self.is_unreadable = self.loaded is None
        self.failed.emit(error)
        self.edit_refused.emit()

    def undo(self) -> None:
        """Take the newest edit of the project's experiments back."""
        self._play(self.experiments.undo)

    def redo(self) -> None:
        """Make the edit again that was taken back last."""
        self._play(self.experiments.redo)

    def _play(self, change: Callable[[], None]) -> None:
        try:
            change()
        except UserError as error:
            self.failed.emit(error)

    # -- life ----------------------------------------------------------------
    def keep_state(self) -> RunSessionState:
        """What was chosen and edited, for the session of the next window."""
        return RunSessionState(
            self.name, self.selected_cell, self.selected_worker, self.experiments.keep_state()
        )

    def take_state(self, state: RunSessionState) -> None:
        """Choose what the session of the last window had chosen."""
        self._wanted = state
        if state.experiments is not None:
            self.experiments.take_state(state.experiments)
        self._follow_wanted(state.experiment)

    def close(self) -> None:
        """Write what was edited, and leave the run to itself: it goes on."""
        self.runs.close()
        self.experiments.close()


def _newest_cell(worker: WorkerProgress | None) -> str:
    """The cell that a worker runs, or the one that it ran last."""
    if worker is None:
        return ""
    return worker.cell or (worker.ended.cell if worker.ended is not None else "")


def _standing(progress: RunProgress) -> tuple[tuple[str, str], ...]:
    """The workers with their states."""
    return tuple((worker.name, worker.state) for worker in progress.workers.values())
