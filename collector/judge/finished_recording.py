"""Store what the rules say of a recording once it is finished, and again when its steps change."""

from __future__ import annotations

from pathlib import Path

from collector.judge.judging import judge_trajectories
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.judge.task_rules import TaskRules
from collector.model.judgement import Judgement
from collector.project_rules.project_rules import ProjectRules
from collector.store.reader import open_trajectory
from collector.store.writer import FINISHED


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
