"""The solvability tab below the tasks: progress, matrix, and the trials of the chosen cell."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal, Slot
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from collector.model.i18n import _
from collector.replay.solvability.plan import SolvabilityPlan
from collector.replay.solvability.progress import SolvabilityProgress
from collector.replay.solvability.trials import SOLVED, SolvabilityTrial
from collector.store.trajectory.reader import StoredTrajectory
from rule_editor.widgets.cell_grid import GridCell
from studio.bridge import JobRunner
from studio.bridge.anomalies.solvability import Solvability
from studio.bridge.project_library import ProjectLibrary
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.views.solvability.export import SolvabilityExport
from studio.views.solvability.matrix_view import SolvabilityMatrix
from studio.views.solvability.progress_row import SolvabilityProgressRow
from studio.views.solvability.result_table import (
    RESULT_APPEARANCE,
    RESULT_LABELS,
    SolvabilityTable,
    summary_words,
)
from studio.views.solvability.trial_details import TrialDetailsPanel, step_of
from studio.widgets.controls import Button, Label
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width
from studio.widgets.report_pages import ReportPages
from studio.widgets.window_frame.toasts import Toasts

_LAST_STEP = 1_000_000
"""The step to open for the last one: a step beyond the end is the last."""


class _Legend(QWidget):
    """Each result's shape and what it means."""

    spoken_role = Role.StaticText

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join(_(words) for words in RESULT_LABELS.values()))
        theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(sum(text_width(_(words)) + 32 for words in RESULT_LABELS.values()), 20)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, left = painter_of(self), 0
        for result, words in RESULT_LABELS.items():
            theme.draw_icon_in(painter, RESULT_APPEARANCE[result][0], QRect(left, 0, 14, self.height()), 12)
            width = text_width(_(words))
            draw_text(painter, QRect(left + 18, 0, width + 2, self.height()), _(words), "body", "text-2")
            left += width + 32


class SolvabilityPanel(QWidget):
    """Shows the newest solvability check."""

    asked = Signal()
    opened = Signal(str, int)

    def __init__(self, solvability: Solvability, project_library: ProjectLibrary, tasks: JobRunner) -> None:
        super().__init__()
        self._solvability, self._project_library, self._tasks = solvability, project_library, tasks
        self._export: SolvabilityExport | None = None
        self._shown: SolvabilityPlan | None = None
        self.table = SolvabilityTable()
        self.matrix, self.facts, self.state = (
            SolvabilityMatrix(),
            TrialDetailsPanel(),
            SolvabilityProgressRow(solvability),
        )
        self.summary = Label("", "name", cut=True)
        self.problem = Label("", "body", "warn")
        self.again = Button(_("Check solvability..."), "play", "outlined", small=True)
        self.take = Button(_("Copy or save"), "copy", small=True, opens=True)
        self.begin = Button(_("Check solvability..."), "play", "outlined")
        self._pages = ReportPages(self.begin)
        self._fill_pages()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._pages)
        self._connect()
        self.renew()

    def _fill_pages(self) -> None:
        head, body = self._pages.head, QHBoxLayout()
        head.addWidget(self.summary, 1)
        for widget in (self.problem, _Legend(), self.take, self.again):
            head.addWidget(widget)
        body.setContentsMargins(0, 0, 0, 0)
        body.setSpacing(0)
        body.addWidget(self.matrix, 5)
        body.addWidget(self.facts, 2)
        self._pages.body.addWidget(self.state)
        self._pages.body.addLayout(body, 1)

    def _connect(self) -> None:
        solvability = self._solvability
        solvability.changed.connect(self.renew)
        solvability.trial_ended.connect(self._add_trial)
        solvability.progressed.connect(self._progressed)
        self._project_library.opened.connect(self._project_changed)
        self._project_library.changed.connect(self._project_changed)
        self.matrix.chosen.connect(self._chosen)
        self.matrix.opened.connect(self._open_cell)
        self.facts.opened.connect(self._open)
        self.facts.run_opened.connect(self._open_run)
        self.again.clicked.connect(self.asked)
        self.begin.clicked.connect(self.asked)
        self.take.clicked.connect(self._offer)

    def offer_to(self, toasts: Toasts) -> None:
        """Set the toasts that report copying and saving."""
        self._export = SolvabilityExport(self._tasks, toasts, self)

    @property
    def export(self) -> SolvabilityExport | None:
        """Copies and saves the results."""
        return self._export

    # -- what is shown -------------------------------------------------------
    @Slot()
    def renew(self) -> None:
        """Show the newest check."""
        solvability = self._solvability
        plan = solvability.plan
        self._pages.show_report(plan is not None)
        if plan is None:
            self._say_none()
        if plan is not self._shown:
            self._fill(plan)
        self.problem.setText(solvability.problem)
        self.problem.setVisible(bool(solvability.problem))
        self.again.setEnabled(not solvability.is_running)
        self._summarize()

    def _fill(self, plan: SolvabilityPlan | None) -> None:
        self._shown = plan
        self.table = SolvabilityTable(plan, self._solvability.trials)
        titles = {task.id: task.instruction for task in self._project_library.edits.tasks}
        self.matrix.show_table(self.table, titles)
        self.facts.show_trials("", "", (), _("Choose a cell to see how its trial ended"))

    def _say_none(self) -> None:
        snapshot = self._project_library.snapshot
        if snapshot is None or not any(snapshot.golden.values()):
            words = _("No task has a golden trajectory yet; record one, then try it under anomalies.")
        else:
            words = _("Replay golden trajectories under anomalies, and see which tasks they make impossible.")
        self._pages.set_words(words)

    @Slot()
    def _project_changed(self) -> None:
        if self._solvability.plan is None:
            self._say_none()

    @Slot(object)
    def _add_trial(self, trial: SolvabilityTrial) -> None:
        self.table.add(trial)
        self._summarize()
        here = self.matrix.current
        if here is None:
            column = self.table.anomalies.index(trial.anomaly) if trial.anomaly else 0
            self.matrix.go(GridCell(self.table.tasks.index(trial.task), column))
        elif self.table.tasks[here.row] == trial.task:
            self._chosen(here)
        self.matrix.refresh()

    @Slot(object)
    def _progressed(self, progress: SolvabilityProgress) -> None:
        self.table.doing = progress.current
        self.matrix.refresh()

    def _summarize(self) -> None:
        running = self._solvability.is_running
        if not running:
            self.table.doing = None
        first = _("The first run is under way") if running else ""
        self.summary.setText(summary_words(self.table) or first)
        self.summary.setToolTip(self.summary.text())
        self.take.setEnabled(bool(self._solvability.trials))

    @Slot(object)
    def _chosen(self, cell: GridCell) -> None:
        trials = self.table.trials(cell)
        words = _("It runs now") if self.table.is_doing(cell) else _("Not tried yet")
        if not self._solvability.is_running:
            words = _("It was not tried")
        self.facts.show_trials(
            self.table.tasks[cell.row], self.table.anomalies[cell.column], trials, words
        )  # fmt: skip

    # -- what is done --------------------------------------------------------
    @Slot(object)
    def _open_cell(self, cell: GridCell) -> None:
        """Open the run of the cell's worst trial; without one the golden trajectory where it stops."""
        worst = self.table.worst(cell)
        if worst is not None and worst.run:
            self._open_run(worst)
        elif worst is not None and step_of(worst) is not None:
            self._open(worst)

    @Slot(object)
    def _open_run(self, trial: SolvabilityTrial) -> None:
        """Open the run of a trial, at its end when the trial stopped there."""
        project = self._project_library.project
        if project is not None:
            folder = project.paths.trajectories_of(trial.task) / trial.run
            stopped = trial.result not in SOLVED
            self.opened.emit(str(folder), _LAST_STEP if stopped else 0)

    @Slot(object)
    def _open(self, trial: SolvabilityTrial) -> None:
        case, step = self._solvability.given.cases.get(trial.task), step_of(trial)
        for golden in case.goldens if case is not None else ():
            if isinstance(golden, StoredTrajectory) and golden.header.id == trial.trajectory:
                self.opened.emit(str(golden.folder), step or 0)

    @Slot()
    def _offer(self) -> None:
        if self._export is not None:
            menu = self._export.menu(self._solvability.trials)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            menu.popup(self.take.mapToGlobal(self.take.rect().bottomLeft()))
