"""Judge trajectories of a project and keep the verdicts beside them; a recording once it is finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.kinds import Judge
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.model.errors import UserError
from collector.model.judgement import TASK, Judgement
from collector.model.trajectory import FINISHED, RECORDING
from collector.project_rules.project_rules import ProjectRules
from collector.store.trajectory.judgements import add_judgements, read_judgements
from collector.store.trajectory.reader import open_trajectory


@dataclass(frozen=True, slots=True)
class JudgedResult:
    """What a judge said of one trajectory."""

    folder: Path
    trajectory: str
    task: str
    judgements: tuple[Judgement, ...] = ()
    problem: str = ""
    """Why it could not be judged, in a sentence; empty when it was."""

    @property
    def on_task(self) -> Judgement | None:
        """The verdict on the task itself."""
        return next((item for item in self.judgements if item.subject.kind == TASK), None)


def judge_trajectories(
    project: ProjectRules, folders: Iterable[Path], judge: Judge, *, keep: bool = True,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[JudgedResult]:  # fmt: skip
    """Judge the trajectories in ``folders`` one after the other; with ``keep`` their verdicts are stored.

    Those of a trajectory that is still recorded are not: they would be about a part of it. A trajectory that
    cannot be read, or at which the judge fails, is reported in its result. Raises UserError when the rules
    cannot be read, or the verdicts not be written.
    """
    rules = project.rules()
    tasks = project.project.tasks
    for folder in folders:
        if is_cancelled():
            return
        try:
            stored = open_trajectory(folder)
        except UserError as error:
            yield JudgedResult(folder, folder.name, folder.parent.name, problem=str(error))
            continue
        trajectory = JudgedTrajectory.of(stored, tasks, rules)
        try:
            given = tuple(judge.judge(trajectory))
        except UserError as error:
            header = stored.header
            yield JudgedResult(folder, header.id, header.task_id, problem=str(error))
            continue
        if keep and stored.header.status != RECORDING:
            keep_judgements(folder, given)
        yield JudgedResult(folder, stored.header.id, stored.header.task_id, given)


def judge_finished(folder: Path) -> tuple[Judgement, ...]:
    """Judge the recording in ``folder`` by the rules of its project and store the verdicts beside it.

    Nothing is stored of a recording that is not finished, or whose task has neither a success rule nor an
    essential state with conditions. Raises UserError when rules or recording cannot be read, or the
    verdicts not be written.
    """
    project = ProjectRules.around(folder)
    header = open_trajectory(folder).header
    if project is None or header.is_run or header.status != FINISHED:
        return ()
    if not TaskRules.of(project, header.task_id).can_judge:
        return ()
    judge = create_judge(RULES_JUDGE, project.project)
    return next(judge_trajectories(project, [folder], judge)).judgements


def keep_judgements(folder: Path, judgements: Iterable[Judgement]) -> None:
    """Store the verdicts that are not stored already: the same judge, version, subject and verdict."""
    known = read_judgements(folder).newest().values()
    same = {_without_time(judgement) for judgement in known}
    add_judgements(folder, [item for item in judgements if _without_time(item) not in same])


def _without_time(judgement: Judgement) -> str:
    return repr(replace(judgement, time=""))
