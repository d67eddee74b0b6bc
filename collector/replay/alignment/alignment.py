"""The alignment of two to four trajectories: slots, each with a step of every trajectory or a gap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from collector.replay.alignment.likeness import Matrix, step_likeness
from collector.replay.alignment.pairwise import align_pair
from collector.replay.alignment.step_signature import StepSignature

MOST = 4
"""So many trajectories are aligned at once."""
Slot = tuple[int | None, ...]
"""The step of each trajectory at one place, counted from 0; None for a gap."""


@dataclass(frozen=True)
class TrajectoryAlignment:
    """The slots in order. Every step of every trajectory is in exactly one, in its order."""

    slots: tuple[Slot, ...]
    likeness: tuple[float | None, ...]
    """Of each slot how alike its steps are, 0 to 1: the least of its pairs with the first trajectory that
    has a step there; None where only one has a step."""

    def slot_of(self, side: int, step: int) -> int:
        """The slot of a step of trajectory number ``side``. Raises ValueError for a step it does not have."""
        for number, slot in enumerate(self.slots):
            if slot[side] == step:
                return number
        raise ValueError(f"trajectory {side} has no step {step}")


def align_trajectories(trajectories: Sequence[Sequence[StepSignature]]) -> TrajectoryAlignment:
    """Align trajectories with the first of them, and where it has a gap with those before them.

    Raises ValueError for more than :data:`MOST` and for none.
    """
    if not 1 <= len(trajectories) <= MOST:
        raise ValueError(f"1 to {MOST} trajectories can be aligned, not {len(trajectories)}")
    pairs = {
        (mine, other): step_likeness(trajectories[mine], trajectories[other])
        for other in range(len(trajectories))
        for mine in range(other)
    }
    slots: list[Slot] = [(step,) for step in range(len(trajectories[0]))]
    for side in range(1, len(trajectories)):
        merged = []
        for row, step in align_pair(_with_slots(slots, side, len(trajectories[side]), pairs)):
            merged.append((*(slots[row] if row is not None else (None,) * side), step))
        slots = merged
    return TrajectoryAlignment(tuple(slots), tuple(_likeness(slot, pairs) for slot in slots))


def _with_slots(slots: Sequence[Slot], side: int, steps: int, pairs: dict[tuple[int, int], Matrix]) -> Matrix:
    """How alike each slot and each step of another trajectory are: as the most alike step of the slot is."""
    likeness = np.zeros((len(slots), steps), np.float32)
    for row, slot in enumerate(slots):
        for mine, step in enumerate(slot):
            if step is not None:
                np.maximum(likeness[row], pairs[mine, side][step], out=likeness[row])
    return likeness


def _likeness(slot: Slot, pairs: dict[tuple[int, int], Matrix]) -> float | None:
    present = [(side, step) for side, step in enumerate(slot) if step is not None]
    first, *others = present
    values = [float(pairs[first[0], side][first[1], step]) for side, step in others]
    return round(min(values), 4) if values else None
