"""Judge a recorded trajectory by the target of its task: what has to be different in the data of apps.

The verdict is success at the first step after which everything is as the target says and nothing else has
changed (OpenApps). The proof says of every step at which that differs from the step before which parts hold
and what else was changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, ClassVar

from collector.judge.ending_verdict import verdict_not_done
from collector.judge.evaluation.target_progress import TargetProgress, explain_target
from collector.judge.evaluation.trajectory_end import judged_views
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import JudgeKind
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import RULE, SUCCESS, TASK, UNDECIDED, Judgement, Subject
from collector.store.project.project import Project
from collector.targets.known_outcomes import KnownOutcomes

STATE_JUDGE = "state"
"""Id of the judge by targets, and the name of its verdicts."""


_NO_TARGET = "74234e98afe7"
"""The version of verdicts on a task without a target."""


@dataclass(frozen=True, slots=True)
class StateJudge:
    """The judge that compares the data of apps with the target of the task."""

    name: ClassVar[str] = STATE_JUDGE
    kind: ClassVar[str] = RULE

    def judge(self, trajectory: JudgedTrajectory) -> Iterator[Judgement]:
        """One judgement, on the task."""
        verdict, reason, proof = _verdict(trajectory)
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        version = trajectory.target.version if trajectory.target is not None else _NO_TARGET
        yield Judgement(self.name, self.kind, version, Subject(TASK), verdict, None, reason, proof, time=now)


def _verdict(trajectory: JudgedTrajectory) -> tuple[str, str, dict[str, Any]]:
    if trajectory.task is None:
        return UNDECIDED, _("The project has no task {id}", id=trajectory.header.task_id), {}
    if trajectory.target is None:
        return UNDECIDED, _("The task has no target"), {}
    progress = TargetProgress(KnownOutcomes(trajectory.target))
    views = (trajectory.view(index) for index in range(trajectory.last + 1))
    for view in judged_views(views, trajectory.steps):
        progress.see(view, counts=view.screens > 1 or view.follows_last)
    reason, proof = explain_target(progress, lambda step: min(step - 1, trajectory.last))
    if progress.reached is not None:
        return SUCCESS, reason, proof
    return verdict_not_done(trajectory, None if progress.decisive is None else False, reason, proof)


def _create(_options: Mapping[str, Any], _project: Project | None) -> StateJudge:
    return StateJudge()


KIND = JudgeKind(
    STATE_JUDGE,
    N_("Target of the task"),
    _create,
    N_("Compares the data of apps with the target of the task; side effects fail"),
)
