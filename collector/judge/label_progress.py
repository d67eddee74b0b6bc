"""How far a person's labels of a task's trajectories are, and which trajectory is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from collector.model.judgement import PERSON, STATE, TASK, Judgement, Subject
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.achieved_states import state_names
from collector.store.errors import StoreError
from collector.store.judgements import read_judgements
from collector.store.label_judgements import judgements_that_count
from collector.store.labels import Labels, read_all_labels
from collector.store.project import Project
from collector.store.reader import read_header


@dataclass(frozen=True, slots=True)
class LabelledTrajectory:
    """One trajectory of a task with the labels of the person who asks."""

    folder: Path
    header: TrajectoryHeader
    states: int
    """Number of essential states that are labelled."""
    labels: Labels
    labelled: int
    """Number of these that have a label of the person."""
    verdict: Judgement | None
    """The person's verdict on the task; None before it is given."""
    others: tuple[str, ...] = ()
    """Other people who labelled or judged it."""
    judgements: tuple[Judgement, ...] = ()
    """Those of others that count: people, rules and models, on the task and its states."""

    def step_by(self, who: str, state: str) -> int | None:
        """The step that reaches a state, counted from 0, as another person labelled it."""
        wanted = Subject(STATE, state)
        given = (item for item in self.judgements if item.judge == who and item.kind == PERSON)
        steps = (
            item.subject.last for item in given if replace(item.subject, first=None, last=None) == wanted
        )
        return next(steps, None)

    @property
    def is_complete(self) -> bool:
        """Whether every state has a label, and the verdict is given."""
        return self.labelled == self.states and self.verdict is not None

    @property
    def is_submitted(self) -> bool:
        return bool(self.labels.submitted)


def labelled_trajectories(
    project: Project, task: Task, who: str, states: Sequence[str] | None = None
) -> list[LabelledTrajectory]:
    """The trajectories of a task, golden ones first, in order of name; what cannot be read is left out.

    ``states`` are the ids of the essential states to label; those that the task names, unless said otherwise.
    """
    wanted = task.essential_states if states is None else states
    names = state_names(task, project.states)
    rows = []
    for folder in project.trajectory_folders(task.id):
        try:
            rows.append(labelled_trajectory(folder, wanted, who, names))
        except StoreError:
            continue
    return sorted(rows, key=lambda row: row.header.is_run)


def next_to_label(rows: Sequence[LabelledTrajectory], after: Path | None) -> LabelledTrajectory | None:
    """The first trajectory behind ``after``, then from the top, whose labels are not submitted."""
    places = [place for place, row in enumerate(rows) if row.folder == after]
    start = places[0] + 1 if places else 0
    ordered = [*rows[start:], *rows[:start]]
    return next((row for row in ordered if not row.is_submitted and row.folder != after), None)


def labelled_trajectory(
    folder: Path, states: Sequence[str], who: str, names: Mapping[str, str]
) -> LabelledTrajectory:
    """The trajectory in ``folder`` as ``who`` and others labelled it. Raises StoreError."""
    people = read_all_labels(folder, names)
    newest = judgements_that_count(read_judgements(folder), people.values())
    labels = people.get(who, Labels(who))
    judges = {judge for (judge, _subject), item in newest.items() if item.kind == PERSON}
    return LabelledTrajectory(
        folder,
        read_header(folder),
        len(states),
        labels,
        sum(state in labels.labelled for state in states),
        newest.get((who, Subject(TASK))),
        tuple(sorted({*people, *judges} - {who})),
        tuple(item for (judge, _subject), item in newest.items() if judge != who),
    )
