"""Open trajectories to share them: aligned, with the words of their project and what its reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from collector.model.errors import UserError
from collector.replay.alignment.aligned import align_stored
from collector.sharing.shared_review import SharedReview
from collector.store.layout import is_project
from collector.store.project import Project
from collector.store.reader import open_trajectory


def review_of_files(places: Sequence[Path], project_folder: Path, who: str = "") -> SharedReview:
    """One to four trajectories, in folders or zip files, ready to be shared.

    The sentences of essential states and reasons come from the project, when ``project_folder`` is one.
    Raises StoreError for a trajectory that cannot be read.
    """
    del who
    aligned = align_stored(list(map(open_trajectory, places)))
    if not is_project(project_folder):
        return SharedReview(aligned)
    try:
        project = Project.open(project_folder, allow_damage=True)
        return SharedReview(aligned, project.states, project.reasons)
    except UserError:
        return SharedReview(aligned)
