"""The alignment of two to four trajectories: slots, each with a step of every trajectory or a gap."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from collector.comparison.alignment.action_similarity import Matrix, Numbering
from collector.comparison.alignment.long_alignment import AlignedSteps, LongAlignment
from collector.comparison.alignment.step_signature import StepSignature
from collector.comparison.alignment.step_similarity import StepSimilarity

MOST = 4
"""So many trajectories are aligned at once."""
Slot = tuple[int | None, ...]
"""The step of each trajectory at one place, counted from 0; None for a gap."""

Pairs = Mapping[tuple[int, int], StepSimilarity]
"""The similarity of the steps of every two trajectories, by the numbers of both."""


@dataclass(frozen=True)
class TrajectoryAlignment:
    """The slots in order. Every step of every trajectory is in exactly one, in its order."""

    slots: tuple[Slot, ...]
    similarity: tuple[float | None, ...]
    """Of each slot how alike its steps are, 0 to 1: the least of its pairs with the first trajectory that
    has a step there; None where only one has a step."""

    def slot_of(self, side: int, step: int) -> int:
        """The slot of a step of trajectory number ``side``. Raises ValueError for a step it does not have."""
        for number, slot in enumerate(self.slots):
            if slot[side] == step:
                return number
        raise ValueError(f"trajectory {side} has no step {step}")


def align_trajectories(
    trajectories: Sequence[Sequence[StepSignature]], known: Mapping[int, Sequence[int]] | None = None
) -> TrajectoryAlignment:
    """Align trajectories with the first of them, and where it has a gap with those before them.

    ``known`` has, by the number of a trajectory, of each of its steps that of the first that it belongs to;
    each of these is named once at most. Raises ValueError for more than :data:`MOST` and for none.
    """
    if not 1 <= len(trajectories) <= MOST:
        raise ValueError(f"1 to {MOST} trajectories can be aligned, not {len(trajectories)}")
    pairs = {
        (mine, other): StepSimilarity(trajectories[mine], trajectories[other])
        for other in range(len(trajectories))
        for mine in range(other)
    }
    numbering = Numbering()
    exact, outlines = (
        [[numbering.number(key(step)) for step in steps] for steps in trajectories]
        for key in (_exact, StepSignature.outline)
    )
    slots: list[Slot] = [(step,) for step in range(len(trajectories[0]))]
    for side in range(1, len(trajectories)):
        if known is not None and side in known:
            own = {step: number for number, step in enumerate(known[side])}
            slots = [(*slot, own.get(slot[0]) if slot[0] is not None else None) for slot in slots]
            continue
        similarity = partial(_similarity_of_slots, slots, side, pairs)
        merged = []
        rows = AlignedSteps(_of_slots(slots, exact), _of_slots(slots, outlines))
        columns = AlignedSteps(exact[side], outlines[side])
        for row, step in LongAlignment(rows, columns, similarity).pairs():
            merged.append((*(slots[row] if row is not None else (None,) * side), step))
        slots = merged
    return TrajectoryAlignment(tuple(slots), _similarity(slots, pairs))


def _exact(step: StepSignature) -> Hashable:
    return step.screen(), step.touch()


def _of_slots(slots: Sequence[Slot], keys: Sequence[Sequence[int]]) -> list[int]:
    """Of each slot the key of its first step, which stands for it when equal steps are looked for."""
    first = [next((side, step) for side, step in enumerate(slot) if step is not None) for slot in slots]
    return [keys[side][step] for side, step in first]


def _similarity_of_slots(
    slots: Sequence[Slot], side: int, pairs: Pairs, rows: slice, columns: slice
) -> Matrix:
    """How alike slots and steps of another trajectory are: as the most alike step of a slot is."""
    similarity = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.float32)
    for mine in range(side):
        steps = [(row, slot[mine]) for row, slot in enumerate(slots[rows])]
        present = [(row, step) for row, step in steps if step is not None]
        if present:
            places = [row for row, _step in present]
            block = pairs[mine, side].block(np.array([step for _row, step in present]), columns)
            similarity[places] = np.maximum(similarity[places], block)
    return similarity


def _similarity(slots: Sequence[Slot], pairs: Pairs) -> tuple[float | None, ...]:
    """Of each slot the least similarity of its first step and another one."""
    least: list[float | None] = [None] * len(slots)
    by_sides: dict[tuple[int, int], list[tuple[int, int, int]]] = {}
    for number, slot in enumerate(slots):
        present = [(side, step) for side, step in enumerate(slot) if step is not None]
        first, *others = present
        for side, step in others:
            by_sides.setdefault((first[0], side), []).append((number, first[1], step))
    for sides, places in by_sides.items():
        numbers, mine, theirs = zip(*places, strict=True)
        for number, value in zip(numbers, pairs[sides].of_pairs(mine, theirs).tolist(), strict=True):
            known = least[number]
            least[number] = round(value if known is None else min(value, known), 4)
    return tuple(least)
