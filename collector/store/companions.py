"""The trajectories that a run is compared with: the golden one of its task, and its own baseline."""

from __future__ import annotations

from pathlib import Path

from collector.model.episode import Episode
from collector.model.trajectory import GOLDEN, TrajectoryHeader
from collector.store.catalogue import Catalogue
from collector.store.catalogue_row import CatalogueRow
from collector.store.project import Project
from collector.store.writer import FINISHED

_UNIT = ("agent", "model", "prompt", "modality", "variation", "language", "seed", "repeat")
"""What a run and its baseline have in common, beside the task."""
_MOST = 2000
"""So many runs of one task are looked at."""


def companions_of(project: Project, header: TrajectoryHeader) -> list[Path]:
    """The folders of the golden trajectory and the baseline of a run, those of them that there are.

    A golden trajectory has no companions. Of several baselines the one of the same experiment counts, and of
    these the newest; of several golden ones the newest that is whole.
    """
    if not header.is_run:
        return []
    with Catalogue(project) as catalogue:
        golden = catalogue.find(f'kind:{GOLDEN} task:"={header.task_id}"', limit=_MOST)
        runs = catalogue.find(f'kind:run task:"={header.task_id}"', limit=_MOST)
    found = [_best_golden(golden), _baseline(runs, header)]
    return [project.folder / row.folder for row in found if row is not None]


def _best_golden(rows: list[CatalogueRow]) -> CatalogueRow | None:
    """Rows are newest first, so that the first of the best stands."""
    return min(rows, key=lambda row: (row.steps == 0, row.problems > 0, row.status != FINISHED), default=None)


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
