"""What a person did at the same point of a successful attempt, for each step of a trajectory."""

from __future__ import annotations

from collector.agents.golden_choice import golden_trajectories
from collector.comparison.alignment.aligned import align_stored
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.judge.judged_trajectory import JudgedTrajectory
from collector.judge.progress.process_information import process_information
from collector.model.errors import UserError
from collector.model.trajectory import Step
from collector.model.tree import Tree
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


def golden_words(project: Project | None, trajectory: JudgedTrajectory) -> dict[int, str]:
    """Index of each step -> the aligned action of the task's golden trajectory, in words.

    Empty without a golden trajectory that nobody judged a failure, and for a golden trajectory itself.
    """
    header = trajectory.header
    if project is None or header.is_golden:
        return {}
    try:
        golden = golden_trajectories(project, header.task_id)[0]
        stored = open_trajectory(project.find(f"{header.task_id}/{header.id}"))
    except UserError:  # none was recorded, or it cannot be read: the step is judged by itself
        return {}
    described = process_information(golden.steps, lambda step: _tree(golden, step))
    by_step = {item.index: str(item) for item in described}
    found: dict[int, str] = {}
    for of_golden, own in align_stored([golden, stored]).slots:
        if (
            own is not None
            and of_golden is not None
            and (words := by_step.get(golden.steps[of_golden].index))
        ):
            found[own] = words
    return found


def _tree(golden: StoredTrajectory, step: Step) -> Tree | None:
    try:
        data = golden.tree(step)
        return parse_tree(data) if data else None
    except (HierarchyError, UserError):
        return None
