"""What the rules say of the stored trajectory that is open: judged behind the window, again after edits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.judge.evaluation.steps_evaluation import LiveVerdicts, StepsEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.evaluation.trajectory_end import is_claimed
from collector.judge.judging import judge_finished
from collector.model.trajectory import Step
from collector.store.trajectory.reader import read_header
from studio.bridge.jobs import Job, JobQueue, JobRunner


@dataclass(slots=True)
class _Followed:
    """The trajectory that is open. Its evaluation belongs to the job that runs, one at a time."""

    folder: Path
    task_id: str
    steps: tuple[Step, ...] = ()
    evaluation: StepsEvaluation | None = None
    is_edited: bool = False
    """Whether its steps changed since it was opened."""


class StoredVerdicts(QObject):
    """Follows one trajectory. GUI thread only. Of several changes the newest is judged."""

    changed = Signal()
    """:attr:`verdicts` are others."""

    def __init__(self, runner: JobRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self._followed: _Followed | None = None
        self._is_judging = False
        self._is_asked = False
        self.verdicts = LiveVerdicts()

    def open(self, folder: Path | None, task_id: str = "") -> None:
        """Follow another trajectory; None follows nothing."""
        if self._followed is not None and (folder, task_id) == (
            self._followed.folder,
            self._followed.task_id,
        ):
            return  # its header changed: another program writes it
        self._followed = _Followed(folder, task_id) if folder is not None else None
        self._set(LiveVerdicts())

    def follow(self, steps: Sequence[Step]) -> None:
        """Judge the steps as they are now. The stored verdicts of a finished recording follow an edit."""
        followed = self._followed
        if followed is None or tuple(steps) == followed.steps:
            return
        followed.is_edited, followed.steps = bool(followed.steps), tuple(steps)
        self._ask()

    @Slot()
    def reload_rules(self) -> None:
        """Judge by the rules of the task as they are on the disk now."""
        if self._followed is not None:
            self._followed.evaluation = None
            self._ask()

    def _ask(self) -> None:
        followed = self._followed
        if followed is None or not followed.steps:
            return
        if self._is_judging:
            self._is_asked = True
            return
        self._is_judging, self._is_asked = True, False
        steps, evaluation, is_edited = followed.steps, followed.evaluation, followed.is_edited
        followed.is_edited = False

        def work(_job: Job) -> tuple[_Followed, StepsEvaluation, LiveVerdicts]:
            known = evaluation
            if known is None:
                known = StepsEvaluation(
                    TaskRules.of_trajectory(followed.folder, followed.task_id), followed.folder
                )
            claimed = is_claimed(read_header(followed.folder), steps)
            return followed, known, known.verdicts(steps, claimed=claimed)

        self._runner.run(work, success=self._judged, failure=self._failed)
        if is_edited:
            folder = followed.folder
            self._runner.run(
                lambda _job: judge_finished(folder), failure=self._not_stored, queue=JobQueue.STORE
            )

    @Slot(object)
    def _judged(self, result: tuple[_Followed, StepsEvaluation, LiveVerdicts]) -> None:
        followed, evaluation, verdicts = result
        self._is_judging = False
        if followed is self._followed:
            followed.evaluation = evaluation
            self._set(verdicts)
        if self._is_asked or followed is not self._followed:
            self._ask()

    @Slot(object)
    def _failed(self, _error: Exception) -> None:
        """A rule file is damaged: Rules and the problem list say where; nothing is judged."""
        self._is_judging = False
        self._set(LiveVerdicts())

    @Slot(object)
    def _not_stored(self, _error: Exception) -> None:
        """The log has the reason. What cannot be read is reported where it is opened."""

    def _set(self, verdicts: LiveVerdicts) -> None:
        if verdicts != self.verdicts:
            self.verdicts = verdicts
            self.changed.emit()
