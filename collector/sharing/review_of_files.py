"""Open trajectories to share them: aligned, with the words of their project and what its reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from collector.comparison.alignment.aligned import align_stored
from collector.host.user_folders import user_name
from collector.review.reviewing import Reviewing
from collector.sharing.shared_review import SharedReview
from collector.sharing.shared_verdicts import GivenVerdicts, reviewed_verdicts, stored_verdicts
from collector.store.files.layout import is_project, project_around
from collector.store.project.project import Project
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory


def review_of_files(places: Sequence[Path], project_folder: Path, who: str = "") -> SharedReview:
    """One to four trajectories, in folders or zip files, ready to be shared.

    The sentences of essential states and reasons come from the project, when ``project_folder`` is one. Of
    trajectories in it only that is shared what ``who``, by default the user, may see of others' reviews.
    Raises StoreError for a trajectory or a project that cannot be read.
    """
    aligned = align_stored(list(map(open_trajectory, places)))
    if not is_project(project_folder):
        return SharedReview(aligned)
    project = Project.open(project_folder, allow_damage=True)
    reviewing = Reviewing(project, who or user_name())
    verdicts = [_verdicts(stored, reviewing) for stored in aligned.stored]
    return SharedReview(aligned, project.states, project.reasons, verdicts)


def _verdicts(stored: StoredTrajectory, reviewing: Reviewing) -> GivenVerdicts:
    around = project_around(stored.folder) if stored.archive is None else None
    if around is None or around != reviewing.project.folder.resolve():
        return stored_verdicts(stored)
    return reviewed_verdicts(stored, reviewing.of(stored.folder))
