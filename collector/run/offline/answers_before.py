"""What an earlier attempt at an offline cell answered before it was ended: it is not asked again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from collector.model.episode import OFFLINE, AgentTurn
from collector.model.errors import UserError
from collector.model.trajectory import Step, TrajectoryHeader
from collector.run.offline.golden_questions import GoldenQuestions
from collector.store.project.project import Project
from collector.store.trajectory.fingerprint import stored_fingerprint
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory, read_header


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """A recorded answer with the files of its screen."""

    step: Step
    screenshot: bytes | None
    tree: bytes | None

    @property
    def turn(self) -> AgentTurn | None:
        return self.step.agent


def answers_before(
    project: Project, header: TrajectoryHeader, questions: GoldenQuestions
) -> Sequence[KnownAnswer]:
    """The answers to the first questions that the newest attempts hold, of those whose makers are as now.

    ``header`` is that of the attempt that begins. An attempt that cannot be read holds nothing.
    """
    best: list[KnownAnswer] = []
    for stored in _attempts(project, header):
        try:
            known = list(_answers_in(stored, questions))
        except UserError:
            continue
        best = max(best, known, key=len)
    return best


def _attempts(project: Project, header: TrajectoryHeader) -> Iterator[StoredTrajectory]:
    for folder in project.trajectory_folders(header.task_id):
        try:
            other = read_header(folder)
            if other.id != header.id and _is_attempt(other, header):
                yield open_trajectory(folder, other)
        except UserError:
            continue


def _is_attempt(other: TrajectoryHeader, header: TrajectoryHeader) -> bool:
    """Whether ``other`` was an attempt at the same cell, made by the same things, that a fault ended."""
    before, begun, outcome = other.episode, header.episode, other.outcome
    if before is None or begun is None or outcome is None or not outcome.infrastructure:
        return False
    cells = [
        (each.experiment, each.cell, each.seed, each.repeat, each.offline, stored_fingerprint(each))
        for each in (before, begun)
    ]
    return bool(before.offline) and cells[0] == cells[1]


def _answers_in(stored: StoredTrajectory, questions: GoldenQuestions) -> Iterator[KnownAnswer]:
    golden = questions.stored.header.id
    for step, question in zip(stored.steps, questions.questions, strict=False):
        if step.extra.get(OFFLINE) != f"{golden}@{question.step.index + 1}" or step.action is None:
            return
        yield KnownAnswer(replace(step, t_ms=0), stored.screenshot(step), stored.tree(step))
