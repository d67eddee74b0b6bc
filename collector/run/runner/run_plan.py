"""What a run of an experiment has to do: the cells of its matrix that no stored episode finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.run.experiment.model import Cell
from collector.run.runner.stored_episodes import StoredEpisode, finished_by_cell


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The cells of an experiment, and what is stored of them."""

    cells: tuple[Cell, ...]
    """The whole matrix, in the order in which it is run."""
    finished: Mapping[str, StoredEpisode]
    """By ``Cell.id``; cells that the experiment had before and has no more are left out."""
    changed: tuple[str, ...] = ()
    """Finished cells, by id, whose episodes were run under other settings than those of now."""
    attempts: Mapping[str, int] = field(default_factory=dict)
    """Stored episodes of each cell, those that a fault ended included."""

    @property
    def missing(self) -> tuple[Cell, ...]:
        """The cells to run."""
        return tuple(cell for cell in self.cells if cell.id not in self.finished)

    def anew(self) -> RunPlan:
        """The plan of a run that takes no cell for finished."""
        return RunPlan(self.cells, {}, (), self.attempts)


def make_plan(
    cells: Sequence[Cell], digests: Mapping[str, str], episodes: Iterable[StoredEpisode]
) -> RunPlan:
    """Plan a run; ``digests`` are those of the settings, by id of the cell."""
    known = {cell.id for cell in cells}
    stored = [episode for episode in episodes if episode.cell in known]
    finished = finished_by_cell(stored)
    changed = [
        cell for cell, episode in finished.items() if episode.plan and episode.plan != digests.get(cell)
    ]
    return RunPlan(tuple(cells), finished, tuple(changed), Counter(episode.cell for episode in stored))
