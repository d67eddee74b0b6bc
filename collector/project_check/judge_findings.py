"""What keeps the judges of a project from being used: their files, and the rubrics of tasks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from collector.model.errors import UserError
from collector.model.finding import Finding
from collector.model.i18n import _
from collector.model.task import Task
from collector.model_judges.judge_files import judge_files, problem_of
from collector.model_judges.methods.rubric import read_rubric, require_known_states
from collector.project_rules.project_rules import ProjectRules
from collector.rules.evaluation.task_states import TaskStates
from collector.rules.grammar.errors import RuleError
from collector.rules.grammar.model import STATE, Rule
from collector.store.files.findings import ERROR, WARNING
from collector.store.project.project import Project

_CODE = "judge-unusable"


def check_judges(project: Project) -> Iterator[Finding]:
    """A finding for each judge by a model, and each rubric, that cannot be used."""
    for file in judge_files(project):
        problem = file.problem or problem_of(file, project)
        if problem and not file.is_built_in:
            yield Finding(_CODE, ERROR, problem, where=project.paths.relative(file.path))
    tasks = {project.paths.rubric(task.id): task for task in project.tasks}
    states = _states(project)
    for path in project.paths.rubrics():
        finding = _of_rubric(project, path, tasks.get(path), states)
        if finding is not None:
            yield finding


def _of_rubric(
    project: Project, path: Path, task: Task | None, states: TaskStates[Rule] | None
) -> Finding | None:
    """What is wrong with one rubric; its states are not looked at when ``states`` is None."""
    where = project.paths.relative(path)
    if task is None:
        return Finding(
            _CODE, WARNING, _("The rubric {name} is used for no task", name=path.name),
            _("the project has no task of that name"),
            _("Give the file the name of its task, or delete it"), where,
        )  # fmt: skip
    try:
        parts = read_rubric(project, task.id)
        if states is not None:
            require_known_states(parts, (state.id for state in states.of(task.id, task)), path.name)
    except UserError as error:
        return Finding.from_error(_CODE, ERROR, error, where)
    return None


def _states(project: Project) -> TaskStates[Rule] | None:
    """The states of the tasks, as judges have them; None when their files cannot be read."""
    try:
        rules = ProjectRules(project).rules()
    except RuleError:
        return None  # a finding of its own
    return TaskStates((rule for rule in rules if rule.kind == STATE), project.tasks)
