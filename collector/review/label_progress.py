"""How far a person's labels of a task's trajectories are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.model.verdicts.judgement import PERSON, STATE, Judgement
from collector.review.queue import TO_LABEL
from collector.review.reviewing import Reviewing
from collector.review.trajectory_reviews import TrajectoryReviews
from collector.store.files.errors import StoreError
from collector.store.trajectory.reader import read_header
from collector.store.trajectory.reviews.labels import Labels


@dataclass(frozen=True, slots=True)
class LabelledTrajectory:
    """One trajectory of a task as the person who labels it may see it."""

    folder: Path
    header: TrajectoryHeader
    who: str
    states: int
    """Number of essential states that are labelled."""
    labelled: int
    """Number of these that have a label of the person."""
    reviews: TrajectoryReviews

    @property
    def labels(self) -> Labels:
        """What the person labelled."""
        return self.reviews.work_of(self.who).labels

    @property
    def verdict(self) -> Judgement | None:
        """The person's verdict on the task; None before it is given."""
        own = self.reviews.of(self.who)
        return own.verdict if own is not None else None

    @property
    def judgements(self) -> tuple[Judgement, ...]:
        """Those of others that count and may be seen: people, rules and models."""
        return tuple(item for item in self.reviews.judgements if item.judge != self.who)

    def marked_step(self, state: str) -> int | None:
        """The step that reaches a state, from 0, as the person labelled it, else as another person did."""
        said = {
            item.judge: item.subject.last
            for item in self.judgements
            if (item.kind, item.subject.kind, item.subject.state) == (PERSON, STATE, state)
        }
        steps = (self.labels.step_of(state), *(said[who] for who in sorted(said)))
        return next((step for step in steps if step is not None), None)

    @property
    def is_submitted(self) -> bool:
        return bool(self.labels.submitted)


def labelled_trajectories(
    reviewing: Reviewing, task: Task, states: Sequence[str] | None = None
) -> list[LabelledTrajectory]:
    """The trajectories of a task, golden ones first, in order of name; what cannot be read is left out.

    ``states`` are the ids of the essential states to label; those that the task names, unless said otherwise.
    """
    wanted = task.essential_states if states is None else states
    rows = []
    for folder in reviewing.project.trajectory_folders(task.id):
        try:
            rows.append(labelled_trajectory(reviewing, folder, wanted))
        except StoreError:
            continue
    return sorted(rows, key=lambda row: row.header.is_run)


def labelled_trajectory(reviewing: Reviewing, folder: Path, states: Sequence[str]) -> LabelledTrajectory:
    """The trajectory in ``folder`` as the person who labels its states may see it. Raises StoreError."""
    reviews = reviewing.of(folder, TO_LABEL)
    labelled = reviews.work_of(reviewing.who).labels.labelled
    count = sum(state in labelled for state in states)
    return LabelledTrajectory(folder, read_header(folder), reviewing.who, len(states), count, reviews)
