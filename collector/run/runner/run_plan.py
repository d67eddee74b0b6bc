"""What a run of an experiment has to do: the cells of its matrix that no stored episode finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.model.episode import AGAIN_ALL, AGAIN_CHANGED, AGAIN_FAILED
from collector.model.verdicts.judgement import FAILURE, UNCOMPLETED
from collector.run.cycle.fingerprint import only_verdict_is_stale
from collector.run.experiment.matrix import in_run_order
from collector.run.experiment.model import Cell
from collector.run.runner.stored_episodes import StoredEpisode, finished_by_cell
from collector.store.trajectory.fingerprint import changed_parts


@dataclass(frozen=True, slots=True)
class RunPlan:
    """The cells of an experiment, and what is stored of them."""

    cells: tuple[Cell, ...]
    """The whole matrix, in its order."""
    finished: Mapping[str, StoredEpisode]
    """By ``Cell.id``; cells that the experiment had before and has no more are left out."""
    stale: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Finished cells, by id, whose episodes other things made than those of now: the parts that changed."""
    unknown: tuple[str, ...] = ()
    """Finished cells, by id, whose episodes do not say what made them: an older version recorded them."""
    attempts: Mapping[str, int] = field(default_factory=dict)
    """Stored episodes of each cell, those that a fault ended included."""
    repeated: tuple[str, ...] = ()
    """Finished cells, by id, that are run again; they are not among :attr:`finished`."""

    @property
    def missing(self) -> tuple[Cell, ...]:
        """The cells to run, in the order in which they are run."""
        return tuple(cell for cell in in_run_order(self.cells) if cell.id not in self.finished)

    def only_to_rejudge(self, ends: str) -> tuple[str, ...]:
        """Stale cells, by id, that need not be run anew: to judge them anew is enough."""
        return tuple(cell for cell, parts in self.stale.items() if only_verdict_is_stale(parts, ends))

    def again(self, which: str) -> RunPlan:
        """The plan of a run that repeats some finished cells: one of ``episode.AGAIN``; empty for none."""
        dropped = {cell for cell in self.finished if self._is_repeated(cell, which)}
        kept = {cell: episode for cell, episode in self.finished.items() if cell not in dropped}
        stale = {cell: parts for cell, parts in self.stale.items() if cell not in dropped}
        unknown = tuple(cell for cell in self.unknown if cell not in dropped)
        return RunPlan(self.cells, kept, stale, unknown, self.attempts, tuple(sorted(dropped)))

    def _is_repeated(self, cell: str, which: str) -> bool:
        if which == AGAIN_FAILED:
            outcome = self.finished[cell].outcome
            return outcome is not None and outcome.status in (FAILURE, UNCOMPLETED)
        return which == AGAIN_ALL or (which == AGAIN_CHANGED and cell in self.stale)


def make_plan(
    cells: Sequence[Cell], fingerprints: Mapping[str, Mapping[str, str]], episodes: Iterable[StoredEpisode]
) -> RunPlan:
    """Plan a run; ``fingerprints`` are those of episodes that would begin now, by ``Cell.key``."""
    known = {cell.id: cell.key for cell in cells}
    stored = [episode for episode in episodes if episode.cell in known]
    finished = finished_by_cell(stored)
    stale = {
        cell: parts
        for cell, episode in finished.items()
        if (parts := changed_parts(episode.fingerprint, fingerprints.get(known[cell], {})))
    }
    unknown = tuple(cell for cell, episode in finished.items() if not episode.fingerprint)
    return RunPlan(tuple(cells), finished, stale, unknown, Counter(episode.cell for episode in stored))
