"""A project's recorded trajectories, one after another, for whoever looks at all of their states.

Rules are tried on them; a trajectory that cannot be opened is passed over, and told.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from pathlib import Path

from collector.store.errors import StoreError
from collector.store.project import Project
from collector.store.reader import StoredTrajectory, open_trajectory

_log = logging.getLogger(__name__)


def recorded(
    project: Project, *, task_id: str | None = None, problem: Callable[[Path, StoreError], None] | None = None
) -> Iterator[StoredTrajectory]:
    """Every trajectory of ``project``, or of one task, in order of task and name, opened as it is reached.

    What cannot be opened is told to ``problem``. Dumps and screenshots are read only when asked for;
    ``StoredTrajectory.screenshot_path`` names the file of a screenshot.
    """
    for folder in project.trajectory_folders(task_id):
        try:
            stored = open_trajectory(folder)
        except StoreError as error:
            _log.info("%s was passed over: %s", project.place_of(folder), error)
            if problem is not None:
                problem(folder, error)
            continue
        if stored.steps:
            yield stored
