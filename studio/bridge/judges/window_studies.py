"""Studies of windows and intervals behind the window: what one takes, and what it finds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.cancellation import Cancelled
from collector.model.i18n import _
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers

if TYPE_CHECKING:
    from collector.metrics.judge_studies.windows import WindowResult, WindowStudy
    from collector.metrics.report import ReportTable
    from collector.store.project.project import Project


@dataclass(frozen=True, slots=True)
class WindowStudyRequest:
    """Which judges to try with which windows and intervals, in screens; A3's pairs where none are given."""

    judges: tuple[str, ...]
    windows: tuple[int, ...] = ()
    intervals: tuple[int, ...] = ()
    who: str = ""
    """Whose view of the project counts: golden trajectories that are hidden from them are left out."""
    limit_usd: float | None = None


@dataclass(frozen=True, slots=True)
class WindowStudyCost:
    """What a study takes at most."""

    settings: int
    trajectories: int
    calls: int
    kept: int
    """Questions that are answered already."""
    usd: float | None
    """None where a judge has no prices."""


@dataclass(frozen=True, slots=True)
class EndedWindowStudy:
    """What a study brought."""

    project: Path
    table: ReportTable | None
    """None when no setting was tried on everything."""
    error: Exception | None = None
    """What ended it early."""


class WindowStudies(QObject):
    """One study at a time. GUI thread only."""

    changed = Signal()
    """A study began or ended."""
    cost_known = Signal(object)
    """The :class:`WindowStudyCost` that was asked for."""
    pricing = Signal(int, int)
    """So many trajectories of so many are priced."""
    failed = Signal(object)
    """The cost could not be worked out."""
    ended = Signal(object)
    """An :class:`EndedWindowStudy`, also of a study that was cancelled."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self._job: Job | None = None
        self._project: Path | None = None
        self._tables: list[ReportTable] = []
        """The table of the study that goes on, once there is one; it is made behind the window."""

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def ask_cost(self, project: Project, request: WindowStudyRequest) -> None:
        """Work out what a study takes at most; ``cost_known`` follows. Nothing is sent."""

        def work(job: Job) -> WindowStudyCost:
            def progress(done: int, total: int) -> None:
                if job.cancelled:
                    raise Cancelled
                self.pricing.emit(done, total)

            study = _study(project, request)
            costs = [cost for _setting, cost in study.prices(progress)]
            amounts = [cost.usd for cost in costs if cost.usd is not None]
            return WindowStudyCost(
                len(costs), len(study.folders), sum(cost.calls for cost in costs),
                sum(cost.kept for cost in costs), sum(amounts) if len(amounts) == len(costs) else None,
            )  # fmt: skip

        self._answers.ask("cost", work, self.cost_known.emit)

    @Slot()
    def forget_cost(self) -> None:
        """Let no cost arrive any more."""
        self._answers.forget()

    def start(self, project: Project, request: WindowStudyRequest) -> None:
        """Try all settings; ``ended`` follows. Nothing happens while a study goes on."""
        if self._job is not None:
            return
        tables: list[ReportTable] = []
        self._project, self._tables = project.folder, tables

        def work(job: Job) -> None:
            from collector.metrics.judge_studies.windows import window_table
            from collector.model_judges.asking import Spending
            from collector.model_judges.judging_run import JudgingControl

            control = JudgingControl(Spending(request.limit_usd), job.cancel_event)
            results: list[WindowResult] = []
            try:
                results.extend(_study(project, request).results(control, job.report))
            finally:  # also of a study that was cancelled, or ended early by its limit
                if results:
                    tables.append(window_table(results))

        title = _("Study the windows of {judges}", judges=", ".join(request.judges))
        self._job = self._runner.run(work, title=title, success=self._end, failure=self._fail)
        self._job.stopped.connect(self._stop)
        self.changed.emit()

    @Slot(object)
    def _end(self, _result: object) -> None:
        self._ended(None)

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        self._ended(error)

    @Slot()
    def _stop(self) -> None:
        self._ended(None)

    def _ended(self, error: Exception | None) -> None:
        assert self._project is not None
        self._job = None
        self.changed.emit()
        self.ended.emit(EndedWindowStudy(self._project, self._tables[0] if self._tables else None, error))


def _study(project: Project, request: WindowStudyRequest) -> WindowStudy:
    from collector.metrics.judge_studies.studies import require_reference, studied_votes
    from collector.metrics.judge_studies.windows import WindowStudy, labelled, window_settings
    from collector.project_rules.project_rules import ProjectRules
    from collector.review.hidden_trajectories import unseen_trajectories

    settings = window_settings(request.judges, request.windows, request.intervals)
    votes = studied_votes(project)
    require_reference(votes)
    truth = labelled(votes.subjects)
    unseen = unseen_trajectories(project, {item.folder for item in truth if item.folder}, request.who)
    return WindowStudy(ProjectRules(project), settings, [item for item in truth if item.folder not in unseen])
