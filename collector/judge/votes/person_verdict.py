"""What a person said of a trajectory, with the verdict on its task that follows from the labels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.judging import JudgedResult
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.verdicts.judgement import (
    FAILURE,
    MISSED,
    PERSON,
    REACHED,
    STATE,
    SUCCESS,
    TASK,
    UNCOMPLETED,
    UNDECIDED,
    Judgement,
    Subject,
)
from collector.project_rules.project_rules import ProjectRules
from collector.rules.evaluation.task_states import reached_with_alternatives, replaced_by
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.label_judgements import read_judgements_that_count


def said_by(project: ProjectRules, folders: Iterable[Path], who: str) -> Iterator[JudgedResult]:
    """What ``who`` said of each trajectory, those left out of which nothing was said.

    Without a verdict on the task the labels of its essential states give one, which is not stored. Raises
    UserError when the rules cannot be read.
    """
    rules, tasks = project.rules(), project.project.tasks
    for folder in folders:
        given = [item for item in read_judgements_that_count(folder) if item.judge == who]
        if not given:
            continue
        has_verdict = any(item.subject.kind == TASK for item in given)
        if not has_verdict and given[0].kind == PERSON:
            try:
                trajectory = JudgedTrajectory.of(open_trajectory(folder), tasks, rules)
            except UserError as error:
                yield JudgedResult(folder, folder.name, folder.parent.name, tuple(given), str(error))
                continue
            given.append(verdict_of_labels(trajectory, who, given))
        yield JudgedResult(folder, folder.name, folder.parent.name, tuple(given))


def verdict_of_labels(trajectory: JudgedTrajectory, who: str, labels: Sequence[Judgement]) -> Judgement:
    """The verdict on the task that follows from a person's labels of essential states.

    success when every needed state is reached; without one of them failure, or uncompleted when the task was
    not said to be done; undecided while a needed state has no label.
    """
    said = {item.subject.state: item.verdict for item in labels if item.subject.kind == STATE}
    done = reached_with_alternatives(
        trajectory.states, (state for state, verdict in said.items() if verdict == REACHED)
    )
    done |= replaced_by(trajectory.states, done.intersection(trajectory.needed))
    left = [state for state in trajectory.needed if state not in done]
    missed = [state for state in left if said.get(state) == MISSED]
    if missed:
        verdict = FAILURE if trajectory.is_claimed else UNCOMPLETED
        reason = _("Not reached: {states}", states=", ".join(missed))
    elif left:
        verdict, reason = UNDECIDED, _("Not labelled: {states}", states=", ".join(left))
    elif trajectory.needed:
        verdict, reason = SUCCESS, _("Every essential state was reached")
    else:
        verdict, reason = UNDECIDED, _("The task needs no essential state")
    time = max((item.time for item in labels), default="")
    return Judgement(who, PERSON, "", Subject(TASK), verdict, reason=reason, time=time)
