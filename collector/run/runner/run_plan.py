"""What a run of an experiment has to do: the cells of its matrix that no stored episode finished."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.model.episode import AGAIN_ALL, AGAIN_CHANGED, AGAIN_FAILED
from collector.model.verdicts.judgement import FAILURE, UNCOMPLETED
from collector.run.cycle.fingerprint import only_verdict_is_stale
from collector.run.experiment.matrix import in_run_order
from collector.run.experiment.model import Cell
from collector.run.phones.phone_facts import PhoneFacts
from collector.run.runner.stored_episodes import StoredEpisode, finished_by_cell
from collector.store.trajectory.fingerprint import PHONE, changed_parts


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
    cells: Sequence[Cell],
    fingerprints: Mapping[str, Mapping[str, str]],
    episodes: Iterable[StoredEpisode],
    phones_known: Callable[[], Sequence[PhoneFacts]] = tuple,
) -> RunPlan:
    """Plan a run; ``fingerprints`` are those of episodes that would begin now, by ``Cell.key``.

    ``phones_known`` is asked what the phones of the run are like where episodes of others are finished.
    """
    known = {cell.id: cell.key for cell in cells}
    stored = [episode for episode in episodes if episode.cell in known]
    finished = finished_by_cell(stored)
    phones = phones_known() if finished else ()
    stale = {
        cell: parts
        for cell, episode in finished.items()
        if (parts := _changed(episode, fingerprints.get(known[cell], {}), phones))
    }
    unknown = tuple(cell for cell, episode in finished.items() if not episode.fingerprint)
    return RunPlan(tuple(cells), finished, stale, unknown, Counter(episode.cell for episode in stored))


def _changed(episode: StoredEpisode, now: Mapping[str, str], phones: Sequence[PhoneFacts]) -> tuple[str, ...]:
    """The parts that are others now; the phone also when none of the run's is like that of the episode."""
    parts = changed_parts(episode.fingerprint, now)
    before = PhoneFacts.of_header(episode.header.device)
    is_other = bool(phones) and not any(phone.fits(before) for phone in phones)
    return (*parts, PHONE) if is_other and PHONE not in parts else parts
