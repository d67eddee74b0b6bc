"""How far a person's labels of a task's trajectories are, and which trajectory is next."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from collector.model.judgement import PERSON, TASK, Judgement, Subject
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.errors import StoreError
from collector.store.judgements import read_judgements
from collector.store.labels import Labels, read_all_labels
from collector.store.project import Project
from collector.store.reader import read_header


@dataclass(frozen=True, slots=True)
class LabelledTrajectory:
    """One trajectory of a task with the labels of the person who asks."""

    folder: Path
    header: TrajectoryHeader
    states: int
    """Number of essential states of the task."""
    labels: Labels
    labelled: int
    """Number of the task's states that have a label of the person."""
    verdict: Judgement | None
    """The person's verdict on the task; None before it is given."""
    others: tuple[str, ...] = ()
    """Other people who labelled or judged it."""

    @property
    def is_complete(self) -> bool:
        """Whether every state has a label, and the verdict is given."""
        return self.labelled == self.states and self.verdict is not None

    @property
    def is_submitted(self) -> bool:
        return bool(self.labels.submitted)


def labelled_trajectories(project: Project, task: Task, who: str) -> list[LabelledTrajectory]:
    """The trajectories of a task in order of name; one that cannot be read is left out."""
    rows = []
    for folder in project.trajectory_folders(task.id):
        try:
            rows.append(_row(folder, read_header(folder), task, who))
        except StoreError:
            continue
    return rows


def next_to_label(rows: Sequence[LabelledTrajectory], after: Path | None) -> LabelledTrajectory | None:
    """The first trajectory behind ``after``, then from the top, whose labels are not submitted."""
    places = [place for place, row in enumerate(rows) if row.folder == after]
    start = places[0] + 1 if places else 0
    ordered = [*rows[start:], *rows[:start]]
    return next((row for row in ordered if not row.is_submitted and row.folder != after), None)


def _row(folder: Path, header: TrajectoryHeader, task: Task, who: str) -> LabelledTrajectory:
    people = read_all_labels(folder)
    newest = read_judgements(folder).newest()
    labels = people.get(who, Labels(who))
    judges = {judge for (judge, _subject), item in newest.items() if item.kind == PERSON}
    return LabelledTrajectory(
        folder,
        header,
        len(task.essential_states),
        labels,
        sum(state in labels.labelled for state in task.essential_states),
        newest.get((who, Subject(TASK))),
        tuple(sorted({*people, *judges} - {who})),
    )
