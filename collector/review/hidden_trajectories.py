"""Which of some trajectories a person may not know everything of yet, as reviewer or as operator."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from collector.review.reviewing import Reviewing
from collector.states.work_files.blindness import sees_every_trajectory, visible_trajectories
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_header


def hidden_trajectories(project: Project, folders: Iterable[Path], who: str) -> frozenset[Path]:
    """Those of ``folders`` of whose verdicts something is hidden from ``who``; none without a name."""
    who = who.strip()
    return Reviewing(project, who).hidden_among(folders) if who else frozenset()


def unseen_trajectories(project: Project, folders: Iterable[Path], who: str) -> frozenset[Path]:
    """The golden trajectories among ``folders`` that ``who``, who proposes states, may not see yet."""
    if sees_every_trajectory(project, who):
        return frozenset()
    is_visible = visible_trajectories(project, who)
    return frozenset(folder for folder in folders if not is_visible(read_header(folder)))
