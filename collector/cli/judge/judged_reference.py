"""What the reference of a ``waymark judge`` verb names: a project or a trajectory; and which are judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from collector.cli.trajectory.reference import find_in_project, require_visible
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.project_rules.project_rules import ProjectRules
from collector.states.work_files.blindness import visible_folders
from collector.store.files.layout import is_project
from collector.store.project.project import Project

judged_argument = click.argument("reference", metavar="[TRAJECTORY|PROJECT]", default="")


def chosen_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that choose among the trajectories of a project."""
    for option in (
        click.option("--only-undecided", is_flag=True, help="Only those whose task no other judge decided."),
        click.option("--agent", default="", metavar="ID", help="Only the runs of this agent."),
        click.option("--task", default="", metavar="ID", help="Only the trajectories of this task."),
    ):
        command = option(command)
    return command


def judged(reference: str, folder: Path) -> tuple[Project, Path | None]:
    """The project, by default that in ``folder``, and the trajectory if one is named. Raises UserError."""
    if not reference or is_project(Path(reference)):
        return Project.open(Path(reference) if reference else folder), None
    return find_in_project(reference, folder)


def chosen_trajectories(
    reference: str, folder: Path, who: str, judge: str, task: str, agent: str, only_undecided: bool
) -> tuple[ProjectRules, Sequence[Path]]:
    """The project, and the trajectories that are chosen and that ``who`` may see. Raises UserError."""
    found, trajectory = judged(reference, folder)
    project = ProjectRules(found)
    if trajectory is not None:
        require_visible(trajectory, who)
        folders: Sequence[Path] = [trajectory]
    else:
        folders = visible_folders(found, who)
    chosen = _of_these(folders, judge, task, agent, only_undecided)
    if not chosen:
        _require_known(found, folders, task, agent)
    return project, chosen


def _of_these(
    folders: Sequence[Path], judge: str = "", task: str = "", agent: str = "", only_undecided: bool = False
) -> Sequence[Path]:
    # Comparing judges needs no model, and loads them in a fifth of a second.
    from collector.model_judges.judging_run import Chosen

    return Chosen(task, agent, only_undecided).of(folders, judge)


def _require_known(project: Project, folders: Sequence[Path], task: str, agent: str) -> None:
    """Raise UserError for a task or an agent that nothing in the project has: its name is misspelt."""
    if task and project.task(task) is None and not _of_these(folders, task=task):
        raise UserError(_("The project has no task {id}", id=task))
    if agent and not _of_these(folders, agent=agent):
        raise UserError(_("The project has no run of the agent {id}", id=agent))
