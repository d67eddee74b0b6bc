"""A run of judging by models behind the window: one trajectory or many, with progress, pause and cancel."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.model.cancellation import Cancelled
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers

if TYPE_CHECKING:
    from collector.judge.judging import JudgedResult
    from collector.model_judges.judging_cost import JudgingCost
    from collector.model_judges.judging_run import JudgingControl
    from collector.project_rules.project_rules import ProjectRules
    from collector.store.project.project import Project

_LOOK_MS = 250
_NAMED = 20
"""So many problems are kept in words; the others are counted."""


@dataclass(frozen=True, slots=True)
class JudgingRequest:
    """Which judge is to judge what."""

    judge: str
    who: str = ""
    """Whose view of the project counts: trajectories that are hidden from them are left out."""
    folder: Path | None = None
    """One trajectory; None for those that the other fields choose."""
    task: str = ""
    """Only this task; empty for all."""
    only_undecided: bool = False
    keep: bool = True
    """Whether the verdicts are stored."""
    limit_usd: float | None = None


@dataclass(slots=True)
class JudgingTally:
    """What a run brought."""

    request: JudgingRequest
    total: int = 0
    judged: int = 0
    verdicts: Counter[str] = field(default_factory=Counter)
    """Of the tasks."""
    problems: list[str] = field(default_factory=list)
    failed: int = 0
    error: Exception | None = None
    """What ended the run early."""
    is_cancelled: bool = False

    def note(self, result: JudgedResult) -> None:
        """Count one trajectory."""
        if not result.is_attempt:
            return
        if result.problem:
            self.failed += 1
            if len(self.problems) < _NAMED:
                self.problems.append(f"{result.trajectory}: {result.problem}")
            return
        self.judged += 1
        if result.on_task is not None:
            self.verdicts[result.on_task.verdict] += 1


class JudgingJob(QObject):
    """One run at a time. GUI thread only."""

    changed = Signal()
    """The run began, went on, was paused or ended."""
    ended = Signal(object)
    """The :class:`JudgingTally` of a run, also of one that was cancelled or ended by an error."""
    cost_known = Signal(object)
    """The :class:`JudgingCost` that was asked for."""
    failed = Signal(object)
    """The cost could not be worked out."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self._job: Job | None = None
        self._control: JudgingControl | None = None
        self.tally: JudgingTally | None = None
        """Of the run that goes on, or of the last one."""
        self._look = QTimer(self, interval=_LOOK_MS)
        self._look.timeout.connect(self.changed)
        runner.closing.connect(self._close)

    # -- what is known -------------------------------------------------------
    @property
    def is_running(self) -> bool:
        return self._job is not None

    @property
    def is_paused(self) -> bool:
        return self.is_running and self._control is not None and not self._control.going.is_set()

    @property
    def spent(self) -> tuple[int, int, float]:
        """Questions that were asked, those whose answer was there, and USD, of the run or the last one."""
        control = self._control
        if control is None:
            return 0, 0, 0.0
        return control.spending.asked, control.spending.kept, control.spending.usd

    # -- running -------------------------------------------------------------
    def start(self, project: Project, request: JudgingRequest, title: str = "") -> None:
        """Judge; ``ended`` follows. Nothing happens while a run goes on."""
        if self._job is not None:
            return
        from collector.model_judges.asking import Spending
        from collector.model_judges.judging_run import JudgingControl

        control = self._control = JudgingControl(Spending(request.limit_usd))
        tally = self.tally = JudgingTally(request)

        def work(job: Job) -> JudgingTally:
            control.cancel = job.cancel_event
            _judge(project, request, control, tally, job)
            return tally

        self._job = self._runner.run(work, title=title, success=self._end, failure=self._fail)
        self._job.stopped.connect(self._stop)
        self._look.start()
        self.changed.emit()

    @Slot()
    def pause(self) -> None:
        """Ask nothing more until :meth:`go_on`; what is on its way is answered."""
        if self._control is not None and self.is_running:
            self._control.going.clear()
            self.changed.emit()

    @Slot()
    def go_on(self) -> None:
        """Ask again."""
        if self._control is not None:
            self._control.going.set()
            self.changed.emit()

    @Slot()
    def cancel(self) -> None:
        """End the run; what was judged stays."""
        if self._job is not None:
            self._job.cancel()

    def ask_cost(self, project: Project, request: JudgingRequest) -> None:
        """Work out what a run takes at most; ``cost_known`` follows. Nothing is sent."""

        def work(job: Job) -> JudgingCost:
            from collector.model_judges.judge_files import named_model_judge
            from collector.model_judges.judging_cost import cost_of

            def progress(_done: int, _total: int) -> None:
                if job.cancelled:
                    raise Cancelled

            rules, folders = _chosen(project, request)
            judge = named_model_judge(request.judge, project, sends=False)
            return cost_of(rules, folders, judge, progress)

        self._answers.ask("cost", work, self.cost_known.emit)

    @Slot()
    def forget_cost(self) -> None:
        """Let no cost arrive any more."""
        self._answers.forget()

    # -- the end -------------------------------------------------------------
    @Slot(object)
    def _end(self, _result: object) -> None:
        self._ended()

    @Slot(object)
    def _fail(self, error: Exception) -> None:
        if self.tally is not None:
            self.tally.error = error
        self._ended()

    @Slot()
    def _stop(self) -> None:
        if self.tally is not None:
            self.tally.is_cancelled = True
        self._ended()

    def _ended(self) -> None:
        self._job = None
        self._look.stop()
        self.changed.emit()
        self.ended.emit(self.tally)

    @Slot()
    def _close(self) -> None:
        self._look.stop()


def _judge(
    project: Project, request: JudgingRequest, control: JudgingControl, tally: JudgingTally, job: Job
) -> None:
    from collector.model_judges.judge_files import named_model_judge
    from collector.model_judges.judging_run import judge_by_models

    judge = named_model_judge(request.judge, project)
    rules, folders = _chosen(project, request)
    tally.total = len(folders)
    job.report(0, len(folders))
    for number, result in enumerate(
        judge_by_models(rules, folders, judge, control, keep=request.keep), start=1
    ):
        tally.note(result)
        job.report(number, len(folders))


def _chosen(project: Project, request: JudgingRequest) -> tuple[ProjectRules, Sequence[Path]]:
    from collector.model_judges.judging_run import Chosen
    from collector.project_rules.project_rules import ProjectRules
    from collector.states.work_files.blindness import visible_folders

    if request.folder is not None:
        return ProjectRules(project), [request.folder]
    chosen = Chosen(request.task, "", request.only_undecided)
    return ProjectRules(project), chosen.of(visible_folders(project, request.who), request.judge)
