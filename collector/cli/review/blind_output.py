"""Leave out of what verbs print the verdicts that a person may not see before the own review is submitted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from collector.host.user_folders import user_name
from collector.model.trajectory import TrajectoryHeader
from collector.store.files.layout import ProjectPaths, project_around
from collector.store.files.zip_path import is_zip
from collector.store.trajectory.judgements import StoredJudgements
from collector.store.trajectory.judgements import path_of as judgements_of
from collector.store.trajectory.reviews.annotations import path_of as annotations_of


def without_hidden(
    folder: Path, who: str, header: TrajectoryHeader, stored: StoredJudgements
) -> tuple[TrajectoryHeader, StoredJudgements, str]:
    """Header and judgements of a trajectory as ``who`` may see them, and why something is left out."""
    who = (who or user_name()).strip()
    around = project_around(folder)
    if not who or around is None or is_zip(folder) or not _may_hide(ProjectPaths(around), folder, who):
        return header, stored, ""
    from collector.review.reviewing import Reviewing
    from collector.store.project.project import Project

    seen = Reviewing(Project.open(around), who).of(folder)
    if not seen.hidden:
        return header, stored, ""
    shown = tuple(item for item in stored.judgements if item in seen.all_judgements)
    if header.outcome is not None and not seen.outcome:
        header = replace(header, outcome=replace(header.outcome, status="", reason=""))
    return header, replace(stored, judgements=shown), seen.hidden


def _may_hide(paths: ProjectPaths, folder: Path, who: str) -> bool:
    """Whether anything could be hidden: the person wrote on the trajectory, or the project has queues."""
    own = (annotations_of(folder, who), judgements_of(folder, who))
    return any(path.exists() for path in own) or bool(paths.review_queues())
