"""The Run workspace: its layout, and the controllers that connect its panels to the session."""

from __future__ import annotations

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QStackedWidget

from collector.model.i18n import _
from studio.views.first_things import FirstThings
from studio.views.panel_layout import Panel
from studio.views.run.compose.compose_controller import ComposeController
from studio.views.run.compose.judges_controller import JudgesController
from studio.views.run.compose.offline_controller import OfflineController
from studio.views.run.compose.starts_controller import StartsController
from studio.views.run.compose.user_controller import UserController
from studio.views.run.episode_controller import EpisodeController
from studio.views.run.experiment_controller import ExperimentController
from studio.views.run.experiment_panel import ExperimentPanel
from studio.views.run.experiment_presenter import ExperimentPresenter
from studio.views.run.log_panel import LogPanel
from studio.views.run.results_panel import ResultsPanel
from studio.views.run.run_controller import RunController
from studio.views.run.run_jobs import RunJobs
from studio.views.run.run_status import RunStatus
from studio.views.run.running_note import RunningNote
from studio.views.run.session import RunSession, RunSessionState
from studio.views.run.step_start import StepStart
from studio.views.run.tiles_pane import TilesPane
from studio.views.run.worker_controller import WorkerController
from studio.views.services import WindowServices
from studio.views.undo_source import UndoSource
from studio.views.workspace import Workspace
from studio.widgets.controls import EmptyState
from studio.widgets.window_frame.panel_splitter import PanelSplitter

_TILES_HEIGHT, _LEAST_TILES, _LEAST_RESULTS = 440, 160, 120
_IDLE_TILES = _LEAST_TILES
"""The height of the tiles while no phone is running: the results have the room."""


class RunWorkspace(Workspace):
    """Builds the panels, the session and the controllers; panels listen to the session."""

    scope = "run"

    def __init__(self, services: WindowServices) -> None:
        super().__init__(services)
        self.session = RunSession(services.project_library, services.tasks, services.settings, self)
        session = self.session
        self.experiment_panel = ExperimentPanel()
        self.tiles = TilesPane(session, services)
        self.results = ResultsPanel(session, services)
        self.log = LogPanel(session, services)
        self._empty = EmptyState(
            _("No experiment yet"),
            _("An experiment runs agents on tasks, with and without anomalies"),
            _("New experiment"),
            icon="run",
            button_icon="plus",
        )
        self._first = FirstThings(self._empty, "run", services, self)
        self._reading = EmptyState(_("The experiments are being read..."), icon="run")
        self._centre = QStackedWidget()
        self._has_tiles, self._tiles_height = False, _TILES_HEIGHT
        self._lay_out()
        self._workers = WorkerController(session, services, self.tiles, self)
        self._episodes = EpisodeController(session, services, self.log, self)
        self._episodes.log_asked.connect(self._toggle_log)
        self.tiles.board.enlarged.connect(self._give_room)
        self.status = RunStatus(session, services.status, self)
        self.presenter = ExperimentPresenter(session, self.experiment_panel, self)
        self.compose = ComposeController(session, self.experiment_panel, services, self)
        self.judges = JudgesController(session, self.experiment_panel, services, self)
        UserController(session, self.experiment_panel, self)
        self.starts = StartsController(session, self.experiment_panel, self)
        OfflineController(session, self.experiment_panel, self)
        self.files = ExperimentController(session, self.experiment_panel, services, self)
        StepStart(session, self.files, self.starts, services, self)
        self.runs = RunController(session, self.experiment_panel, services, self)
        self.jobs = RunJobs(session, services.tasks, self)
        self._connect()
        session.start()

    def _lay_out(self) -> None:
        self.tiles.setMinimumHeight(_LEAST_TILES)
        self.results.setMinimumHeight(_LEAST_RESULTS)
        self._down = down = PanelSplitter(Qt.Orientation.Vertical)
        down.addWidget(self.tiles)
        down.addWidget(self.results)
        down.setStretchFactor(1, 1)
        down.setSizes([_IDLE_TILES, 10 * _TILES_HEIGHT])
        self._centre.addWidget(down)
        self._centre.addWidget(self._empty)
        self._centre.addWidget(self._reading)
        self.set_left(self.experiment_panel, "experiment", _("Experiment"))
        self.set_centre(self._centre)
        self.note = RunningNote(self.session)
        self.toolbar.facts.addWidget(self.note)
        self.set_right(self.log, "inspector", _("Log"))
        self.set_panel_idle(Panel.RIGHT, True)

    def _connect(self) -> None:
        session = self.session
        session.failed.connect(self.services.toasts.show_error)
        session.history_changed.connect(self.history_changed)
        self._empty.pressed.connect(self._start_composing)
        session.workers_changed.connect(self._share_room)
        for signal in (session.project_opened, session.experiments_changed, session.experiment_chosen,
                       session.experiment_changed, session.run_changed, session.cell_selected,
                       session.worker_selected, session.cells_changed, session.worker_changed):  # fmt: skip
            signal.connect(self._show_context)

    @Slot()
    def _show_context(self) -> None:
        """Say what the commands can work on, and show the empty state while there is no experiment."""
        session = self.session
        has_experiment = bool(session.name)
        result = session.result(session.selected_cell) if session.selected_cell else None
        worker = session.progress.workers.get(session.selected_worker)
        self.services.commander.set_context(
            experiment__chosen=has_experiment,
            experiment__valid=session.loaded is not None and session.loaded.can_run,
            run__active=session.is_active,
            run__attached=session.is_running,
            run__stopping=session.is_stopping,
            run__logged=session.loaded is not None and session.loaded.has_output,
            run__episode=worker is not None and bool(worker.cell),
            run__asked=any(item.question for item in session.workers),
            run__cell=result is not None,
            run__stale=bool(session.stale),
            run__pictured=any(item.picture and item.cell for item in session.workers),
            experiment__name=session.loaded.name if session.loaded is not None else "",
            **{
                "run__on-phones": not session.is_offline,
                "run__cell-stored": result is not None and bool(result.trajectory),
                "run__taken-over": worker is not None and worker.control == "taken_over",
            },
        )
        is_reading = session.folder is not None and not session.is_listed
        self._centre.setCurrentIndex(0 if has_experiment else 2 if is_reading else 1)
        self.set_panel_needed(Panel.LEFT, has_experiment)
        self.toolbar.set_shown("run.start", not session.is_active)
        self.toolbar.set_shown("run.open-episode", session.is_active)

    @Slot()
    def _start_composing(self) -> None:
        """Make the first experiment; without a project there is nothing it could run."""
        has_project = self.session.folder is not None
        self.services.run_command("run.new" if has_project else "view.project")

    @Slot(str)
    def _give_room(self, enlarged: str) -> None:
        """An enlarged phone has the place of the results, too."""
        self.results.setVisible(not enlarged)

    @Slot()
    def _share_room(self) -> None:
        """Give the tiles room when the first phone runs, and the results when the last one ended."""
        has_tiles = bool(self.session.workers)
        if has_tiles == self._has_tiles:
            return
        self._has_tiles = has_tiles
        height = self._down.height() or 10 * _TILES_HEIGHT
        if not has_tiles:
            self._tiles_height = self._down.sizes()[0]
        top = min(self._tiles_height, height - _LEAST_RESULTS) if has_tiles else _IDLE_TILES
        self._down.setSizes([top, height - top])

    @Slot()
    def _toggle_log(self) -> None:
        self.toggle_panel(Panel.RIGHT)

    # -- life ----------------------------------------------------------------
    @property
    def history(self) -> UndoSource:
        """The edits of all experiments of the project."""
        history = self.session.experiments.history
        own = (self.session.undo, self.session.redo)
        return UndoSource(history.undo_title, history.redo_title, *own, is_waiting=history.is_waiting)

    def activate(self) -> None:
        self.session.set_in_front(True)
        self.status.set_in_front(True)

    def deactivate(self) -> None:
        self.session.set_in_front(False)
        self.status.set_in_front(False)

    def keep_state(self) -> RunSessionState:
        return self.session.keep_state()

    def take_state(self, state: RunSessionState) -> None:
        self.session.take_state(state)

    def close_workspace(self) -> None:
        self._workers.give_back_all()
        self.log.close_panel()
        self.jobs.close()
        self.session.close()
