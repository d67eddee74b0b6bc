"""What the reference of a ``waymark judge`` verb names: a project or a trajectory; and which are judged."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from collector.cli.trajectory.reference import find_in_project, require_visible
from collector.model.trajectory import TrajectoryHeader
from collector.model_judges.judging_run import Chosen
from collector.project_rules.project_rules import ProjectRules
from collector.states.work_files.blindness import sees_every_trajectory, visible_trajectories
from collector.store.files.errors import StoreError
from collector.store.files.layout import is_project
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_header

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
) -> tuple[ProjectRules, list[Path]]:
    """The project, and the trajectories that are chosen and that ``who`` may see. Raises UserError."""
    found, trajectory = judged(reference, folder)
    project = ProjectRules(found)
    if trajectory is not None:
        require_visible(trajectory, who)
        folders = [trajectory]
    else:
        folders = list(found.trajectory_folders())
        if not sees_every_trajectory(found, who):  # or each header is read twice
            is_visible = visible_trajectories(found, who)
            folders = [folder for folder in folders if _may_see(folder, is_visible)]
    return project, Chosen(task, agent, only_undecided).of(folders, judge)


def _may_see(folder: Path, is_visible: Callable[[TrajectoryHeader], bool]) -> bool:
    """Whether a trajectory is shown; one whose header cannot be read is, with what is wrong with it."""
    try:
        return is_visible(read_header(folder))
    except StoreError:
        return True
