"""What filters ask of the slots of a review: steps, differences, and essential states that are missed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from collector.comparison.alignment.aligned import AlignedTrajectories
from collector.comparison.steps.trajectory_index import IndexedStep, TrajectoryIndex


class ReviewSlots:
    """Trajectories side by side, and the index of each. Slots, sides and steps count from 0."""

    def __init__(self, aligned: AlignedTrajectories, indexes: Sequence[TrajectoryIndex]) -> None:
        self.aligned, self.indexes = aligned, indexes

    def step(self, slot: int, side: int) -> IndexedStep | None:
        """The step of a side at a slot; None for a gap."""
        number = self.aligned.slots[slot][side]
        return None if number is None else self.indexes[side].steps[number]

    @cached_property
    def differences(self) -> tuple[Mapping[int, Sequence[str]], ...]:
        """Of each side, by slot, the kinds of its differences from the reference."""
        kinds: list[dict[int, list[str]]] = [{} for _side in self.indexes]
        for side, differences in enumerate(self.aligned.differences):
            for difference in differences:
                for slot in range(difference.first, difference.last + 1):
                    kinds[side].setdefault(slot, []).append(difference.kind.value)
        return tuple(kinds)

    @cached_property
    def missed(self) -> tuple[Mapping[int, Sequence[str]], ...]:
        """Of each side, by slot, the essential states that it misses: where other sides reach them.

        A state that no side reaches is missed at the last step.
        """
        return tuple(self._missed_by(side) for side in range(len(self.indexes)))

    def _missed_by(self, side: int) -> Mapping[int, Sequence[str]]:
        places: dict[str, list[int]] = {state: [] for state, _judge in self.indexes[side].missed}
        last = 0
        for slot, steps in enumerate(self.aligned.slots):
            if steps[side] is not None:
                last = slot
            for other in range(len(steps)):
                step = self.step(slot, other) if other != side else None
                for state, _judge in step.reached if step is not None else ():
                    if state in places:
                        places[state].append(slot)
        by_slot: dict[int, list[str]] = {}
        for state, slots in places.items():
            for slot in slots or [last]:
                by_slot.setdefault(slot, []).append(state)
        return by_slot
