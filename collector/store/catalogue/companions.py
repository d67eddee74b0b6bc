"""The trajectories that a run is compared with: the golden one of its task, and its own baseline."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from pathlib import Path

from collector.model.episode import Episode
from collector.model.trajectory import FINISHED, GOLDEN, Step, TrajectoryHeader
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.files.errors import StoreError
from collector.store.files.layout import is_trajectory
from collector.store.files.names import folder_name
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory

_UNIT = (
    "agent",
    "model",
    "prompt",
    "modality",
    "variation",
    "language",
    "goal_style",
    "start",
    "seed",
    "repeat",
)
"""What a run and its baseline have in common, beside the task."""
_MOST_COMPARED = 8
"""So many golden trajectories of a task are compared with the run."""
_MOST = 2000
"""So many runs of one task are looked at."""


def companions_of(project: Project, header: TrajectoryHeader, steps: Sequence[Step]) -> list[Path]:
    """The folders of the golden trajectory and the baseline of a run, those of them that there are.

    A golden trajectory has no companions. Of several baselines the one of the same experiment counts, and of
    these the newest. Of several golden ones that counts which ``steps`` of the run follow furthest, and of
    a run that was asked golden steps the one that they are of.
    """
    if not header.is_run:
        return []
    if header.episode is not None and header.is_offline:
        return _asked_golden(project, header.task_id, header.episode.offline)
    with Catalogue(project) as catalogue:
        golden = catalogue.find(f'kind:{GOLDEN} task:"={header.task_id}"', limit=_MOST)
        runs = catalogue.find(f'kind:run offline:none task:"={header.task_id}"', limit=_MOST)
    found = [_most_alike(project, golden, steps), _baseline(runs, header)]
    return [project.folder / row.folder for row in found if row is not None]


def _asked_golden(project: Project, task: str, golden: str) -> list[Path]:
    """The folder of the golden trajectory whose steps an agent was asked; none when it is gone."""
    folder = project.paths.trajectories_of(task) / folder_name(golden)
    return [folder] if is_trajectory(folder) else []


def _most_alike(project: Project, rows: list[CatalogueRow], steps: Sequence[Step]) -> CatalogueRow | None:
    """The golden trajectory that has most actions of the run in their order; of the best the newest."""
    whole = sorted(rows, key=lambda row: (row.steps == 0, row.problems > 0, row.status != FINISHED))
    if len(whole) < 2:
        return whole[0] if whole else None
    return max(whole[:_MOST_COMPARED], key=lambda row: _alike(project, row, steps))


def _alike(project: Project, row: CatalogueRow, steps: Sequence[Step]) -> float:
    """How far the actions of a golden trajectory are those of a run, 0 to 1."""
    try:
        golden = open_trajectory(project.folder / row.folder).steps
    except StoreError:
        return -1.0
    return SequenceMatcher(None, _marks(golden), _marks(steps), autojunk=False).ratio()


def _marks(steps: Sequence[Step]) -> list[tuple[str, ...]]:
    """What tells the steps apart without their screens."""
    return [
        (step.state.activity, step.action.kind, step.description) for step in steps if step.action is not None
    ]


def _baseline(rows: list[CatalogueRow], header: TrajectoryHeader) -> CatalogueRow | None:
    episode = header.episode or Episode()
    if not episode.condition:
        return None
    alike = [
        row
        for row in rows
        if not (row.condition or row.anomalies or row.infrastructure)
        and all(getattr(row, name) == getattr(episode, name) for name in _UNIT)
    ]
    return min(alike, key=lambda row: row.experiment != episode.experiment, default=None)
