"""The numbers of a project for the window: loaded and computed behind it, the newest answer wins."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QObject, Signal

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import RECORDED, EpisodeColumns, Mask
from collector.metrics.judge_studies.partings import located
from collector.metrics.loading import judges_of_project, load_episodes
from collector.metrics.report import CountedSubject
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.project.project import Project
from studio.bridge.jobs import Job, JobRunner
from studio.bridge.newest_answers import NewestAnswers

_T = TypeVar("_T")
_LOADING, _ROWS = "load", "rows"


@dataclass(frozen=True)
class EpisodeSelection:
    """Which episodes are counted, and whose verdicts count."""

    query: str = ""
    """In the search language of the catalogue."""
    judge: str = RECORDED
    kept: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Dimension -> the values whose episodes are counted; a dimension that is not in it keeps all."""


@dataclass(frozen=True)
class LoadedEpisodes:
    """Episodes as the catalogue found them, and those of them that have the kept values."""

    found: EpisodeColumns
    selected: EpisodeColumns
    judges: tuple[str, ...] = (RECORDED,)
    """Everyone whose verdicts the numbers can be counted by."""


class MetricsNumbers(QObject):
    """Loads the episodes of a project and computes with them. GUI thread only."""

    loaded = Signal(object)
    """The :class:`LoadedEpisodes` of the selection that was asked for last."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)

    def load(
        self, project: Project, selection: EpisodeSelection, known: LoadedEpisodes | None = None
    ) -> None:
        """Load the episodes of a selection; ``loaded`` follows.

        ``known`` are those of the same query and judge, when only the kept values are others.
        """

        def work(_job: Job) -> LoadedEpisodes:
            if known is not None:
                found, judges = known.found, known.judges
            else:
                found, judges = _load(project, selection)
            kept = found.where(found.selected & kept_mask(found, selection.kept))
            return LoadedEpisodes(found, kept, judges)

        self._answers.ask(_LOADING, work, self.loaded.emit)

    def compute(
        self, kind: str, table: EpisodeColumns, work: Callable[[EpisodeColumns], _T],
        deliver: Callable[[_T], object],
    ) -> None:  # fmt: skip
        """Compute something of loaded episodes; a newer request of the same kind takes its place."""
        self._answers.ask(kind, lambda _job: work(table), deliver)

    def read_rows(
        self, kind: str, project: Project, keys: Sequence[int],
        deliver: Callable[[Mapping[int, CatalogueRow]], object],
    ) -> None:  # fmt: skip
        """Read what a list shows of episodes, by their keys; the newest request of a kind is delivered."""

        def work(_job: Job) -> Mapping[int, CatalogueRow]:
            with Catalogue(project) as catalogue:
                return catalogue.rows_of(keys)

        self._answers.ask(f"{_ROWS} {kind}", work, deliver)

    def locate(
        self, project: Project, subject: CountedSubject, deliver: Callable[[CountedSubject], object]
    ) -> None:
        """Find the window of a subject on which its judges differ; the newest request is delivered."""

        def work(_job: Job) -> CountedSubject:
            return located(project, subject)

        self._answers.ask("locate", work, deliver)

    def forget(self) -> None:
        """Let no answer arrive any more."""
        self._answers.forget()


def kept_mask(table: EpisodeColumns, kept: Mapping[str, frozenset[str]]) -> Mask:
    """The episodes that have one of the kept values in each dimension."""
    mask = np.ones(len(table), bool)
    for name, values in kept.items():
        labels, codes = DIMENSIONS[name].values(table)
        mask &= np.isin(codes, [number for number, label in enumerate(labels) if label in values])
    return mask


def _load(project: Project, selection: EpisodeSelection) -> tuple[EpisodeColumns, tuple[str, ...]]:
    """The episodes and their judges. The library of the window keeps the catalogue fresh."""
    from collector.run.results.stale_results import note_stale_results

    with Catalogue(project) as catalogue:
        note_stale_results(project, catalogue)
        judges = judges_of_project(project, catalogue)
        return load_episodes(project, selection.query, selection.judge, catalogue), judges
