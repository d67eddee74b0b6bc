"""Golden trajectories whose steps agents are asked offline, and which of their steps are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from collector.agents.golden_choice import golden_trajectories
from collector.model.action import COMPLETION_SIGNALS
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.run.experiment.model import AskedGolden
from collector.store.files.layout import STEPS
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


def asked_steps(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps that are questions: each with an action, and the screen on which the task is done.

    What an earlier agent or person signalled at the end is such an action; nothing is asked after it.
    """
    asked: list[Step] = []
    for step in steps:
        asked.append(step)
        if step.action is None or isinstance(step.action, COMPLETION_SIGNALS):
            break
    return tuple(asked)


def asked_goldens(project: Project, task: str) -> list[AskedGolden]:
    """The golden trajectories of a task that were not judged failures, by id; none where there is none."""
    try:
        found = golden_trajectories(project, task)
    except UserError:
        return []
    return [_asked(stored) for stored in sorted(found, key=lambda stored: stored.header.id)]


def asked_golden(project: Project, reference: str) -> AskedGolden:
    """The golden trajectory of that id. Raises UserError for one that is none."""
    stored = open_trajectory(project.find(reference))
    if not stored.header.is_golden:
        raise UserError(
            _("{id} is no golden trajectory", id=reference), stored.header.shown_kind,
            _("Name one that a person recorded and finished"),
        )  # fmt: skip
    return _asked(stored)


def golden_digest(project: Project, task: str, golden: str) -> str:
    """16 hexadecimal digits that an edit of a golden trajectory changes; empty when it is not there."""
    try:
        steps = (project.paths.trajectories_of(task) / folder_name(golden) / STEPS).read_bytes()
    except OSError:
        return ""
    return hashlib.sha256(steps).hexdigest()[:16]


def _asked(stored: StoredTrajectory) -> AskedGolden:
    return AskedGolden(stored.header.task_id, stored.header.id, len(asked_steps(stored.steps)))
