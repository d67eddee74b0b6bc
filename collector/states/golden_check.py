"""Check golden trajectories by rules: each has to reach every state of its task, and to have it done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from collector.judge.judging import JudgedResult, judge_trajectories
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.model.errors import UserError
from collector.model.verdicts.judgement import MISSED, REACHED, STATE, SUCCESS, UNDECIDED
from collector.project_rules.project_rules import ProjectRules
from collector.states.work_files.blindness import may_see_golden
from collector.states.work_files.state_work import StateWork
from collector.store.trajectory.reader import read_header


@dataclass(frozen=True, slots=True)
class LackingState:
    """A state that a golden trajectory does not reach, and what was lacking."""

    state: str
    reason: str
    step: int | None
    """The screen that came nearest, from 0."""


@dataclass(frozen=True, slots=True)
class CheckedGolden:
    """What the rules say of one golden trajectory."""

    task: str
    trajectory: str
    title: str
    """Its name within its task, as in ``golden-2``."""
    who: str
    verdict: str
    """One of the verdicts on a task; empty when it could not be judged."""
    reason: str
    reached: int = 0
    """How many of the states that rules judge it reaches."""
    judged: int = 0
    missed: tuple[LackingState, ...] = ()

    @property
    def is_good(self) -> bool:
        """Whether nothing speaks against it: done or left to people, and no state is missed."""
        return self.verdict in (SUCCESS, UNDECIDED) and not self.missed


def check_goldens(
    project: ProjectRules, person: str, task_id: str = "", is_cancelled: Callable[[], bool] = lambda: False
) -> Iterator[CheckedGolden]:
    """Judge the golden trajectories of a task, or of all tasks, that ``person`` may see; nothing is stored.

    Raises UserError when the rules cannot be read.
    """
    work = StateWork(project.project)
    judge = create_judge(RULES_JUDGE, project.project)
    folders = project.project.trajectory_folders(task_id or None)
    for _task_folder, of_task in groupby(folders, key=lambda folder: folder.parent):
        titles = dict(_goldens(of_task, work, person))
        for result in judge_trajectories(project, titles, judge, keep=False, is_cancelled=is_cancelled):
            yield _checked(result, *titles[result.folder])


def _goldens(folders: Iterator[Path], work: StateWork, person: str) -> Iterator[tuple[Path, tuple[str, str]]]:
    """The folders of goldens that may be seen, with title and person of each."""
    number = 0
    for folder in folders:
        try:
            header = read_header(folder)
        except UserError:
            yield folder, (folder.name, "")
            continue
        is_seen = may_see_golden(work.of_task(header.task_id), person, header).is_allowed
        if not header.is_golden or not is_seen:
            continue
        number += 1
        yield folder, (f"{header.kind}-{number}", header.who)


def _checked(result: JudgedResult, title: str, who: str) -> CheckedGolden:
    on_task = result.on_task
    states = [item for item in result.judgements if item.subject.kind == STATE]
    missed = tuple(
        LackingState(item.subject.state, item.reason, item.proof.get("step"))
        for item in states
        if item.verdict == MISSED
    )
    return CheckedGolden(
        result.task,
        result.trajectory,
        title,
        who,
        on_task.verdict if on_task is not None else "",
        result.problem or (on_task.reason if on_task is not None else ""),
        sum(item.verdict == REACHED for item in states),
        len(states),
        missed,
    )
