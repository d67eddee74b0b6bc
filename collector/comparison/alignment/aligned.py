"""Stored trajectories side by side: their alignment, and where each differs from the first."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import asdict, dataclass

from collector.comparison.alignment.differences import (
    AnomalyRecovery,
    ReviewedTrajectory,
    TrajectoryComparison,
    TrajectoryDifference,
)
from collector.comparison.alignment.reading import ScreenCache, read_screen, reviewed_together, screen_digest
from collector.comparison.alignment.trajectory_alignment import TrajectoryAlignment, align_trajectories
from collector.comparison.state_difference.state_difference import StateDifference, state_difference
from collector.model.episode import OFFLINE
from collector.model.text.step_place import step_place
from collector.model.trajectory import Step
from collector.store.trajectory.reader import StoredTrajectory

LETTERS = "ABCD"
"""The name of each side."""
REFERENCE = 0
"""The side with which the others are compared."""


@dataclass(frozen=True, slots=True)
class AlignedTrajectories:
    """One to four stored trajectories and everything that comes of their alignment. Sides count from 0."""

    stored: tuple[StoredTrajectory, ...]
    reviewed: tuple[ReviewedTrajectory, ...]
    alignment: TrajectoryAlignment
    differences: tuple[tuple[TrajectoryDifference, ...], ...]
    """Of each side how it differs from the reference, in the order of the slots; none of the reference."""
    recoveries: tuple[tuple[AnomalyRecovery, ...], ...]
    """Of each side what became of it after each injected anomaly; none of the reference."""

    @property
    def slots(self) -> tuple[tuple[int | None, ...], ...]:
        """The step of each side at each slot; None for a gap."""
        return self.alignment.slots

    @property
    def first_divergence(self) -> int | None:
        """The first slot where a side differs from the reference; None when none does."""
        return min((each[0].first for each in self.differences if each), default=None)

    def difference_slots(self) -> tuple[int, ...]:
        """The slots where a difference of any side begins, in order."""
        return tuple(sorted({each.first for differences in self.differences for each in differences}))

    def state_difference(self, slot: int, side: int, reference: int = REFERENCE) -> StateDifference | None:
        """What differs between the states of two sides at a slot; None where one of them has a gap.

        Reads the trees and pictures of both states. Status bars are ignored.
        """
        steps = self._steps_at(slot, side, reference)
        if steps is None:
            return None
        before, after = self.stored[reference], self.stored[side]
        return state_difference(read_screen(before, steps[0]), read_screen(after, steps[1]))

    def compared_states(self, slot: int, side: int, reference: int = REFERENCE) -> Hashable:
        """Equal for slots with the same :meth:`state_difference`; None where one of the sides has a gap.

        Reads the files of both states and parses none.
        """
        steps = self._steps_at(slot, side, reference)
        if steps is None:
            return None
        return screen_digest(self.stored[reference], steps[0]), screen_digest(self.stored[side], steps[1])

    def _steps_at(self, slot: int, side: int, reference: int) -> tuple[Step, Step] | None:
        mine, other = self.slots[slot][reference], self.slots[slot][side]
        if mine is None or other is None:
            return None
        return self.stored[reference].steps[mine], self.stored[side].steps[other]

    def comparison_values(self, side: int) -> dict[str, object]:
        """The comparison of a side with the reference, as JSON."""
        differences = self.differences[side]
        return {
            "trajectory": side,
            "reference": REFERENCE,
            "first_divergence": differences[0].first if differences else None,
            "differences": [difference_values(each) for each in differences],
            "recoveries": [asdict(each) for each in self.recoveries[side]],
        }


def align_stored(stored: Sequence[StoredTrajectory], cache: ScreenCache | None = None) -> AlignedTrajectories:
    """Align trajectories with the first of them. Reads their trees, and pictures where a tree is missing.

    With a ``cache``, screens that it knows are not parsed again.

    Raises ValueError for none and for more than
    :data:`~collector.comparison.alignment.trajectory_alignment.MOST`.
    """
    read = reviewed_together(stored, cache)
    known = {
        side: steps for side, each in enumerate(stored) if (steps := asked_steps_of(stored[REFERENCE], each))
    }
    alignment = align_trajectories([each.signatures for each in read], known)
    others = [TrajectoryComparison(alignment, read, side) for side in range(1, len(read))]
    return AlignedTrajectories(
        tuple(stored),
        read,
        alignment,
        ((), *(comparison.differences() for comparison in others)),
        ((), *(comparison.recoveries() for comparison in others)),
    )


def asked_steps_of(golden: StoredTrajectory, other: StoredTrajectory) -> list[int]:
    """Of each step of a run that was asked the steps of ``golden`` offline, the one that was asked, from 0.

    Empty for any other trajectory, and for one whose steps do not say it.
    """
    episode = other.header.episode
    if episode is None or episode.offline != golden.header.id or not other.header.is_offline:
        return []
    places = [step_place(str(step.extra.get(OFFLINE, ""))) for step in other.steps]
    steps = [place[1] for place in places if place is not None and place[0] == golden.header.id]
    is_known = len(steps) == len(other.steps) and steps == sorted(set(steps))
    return steps if is_known and all(step < len(golden.steps) for step in steps) else []


def side_by_side(stored: Sequence[StoredTrajectory]) -> AlignedTrajectories:
    """Trajectories by the numbers of their steps, to be shown until they are aligned. Reads nothing."""
    count = max((len(each.steps) for each in stored), default=0)
    slots = tuple(
        tuple(number if number < len(each.steps) else None for each in stored) for number in range(count)
    )
    none: tuple[()] = ()
    return AlignedTrajectories(
        tuple(stored),
        tuple(ReviewedTrajectory(each.steps, ()) for each in stored),
        TrajectoryAlignment(slots, (None,) * count),
        (none,) * len(stored),
        (none,) * len(stored),
    )


def difference_values(difference: TrajectoryDifference) -> dict[str, object]:
    """A difference as JSON."""
    return {
        "kind": difference.kind.value,
        "first": difference.first,
        "last": difference.last,
        "reason": difference.reason,
    }
