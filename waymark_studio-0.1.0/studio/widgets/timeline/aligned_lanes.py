"""The lanes of one trajectory, shown at the slots of an alignment. No Qt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from studio.widgets.timeline.lanes import FilmSlot, LaneMark, LaneTick, SlotKind, StepFilm, TextLane


@dataclass(slots=True)
class AlignedFilm:
    """The film strip of a trajectory; a slot without a step of it is a gap."""

    film: StepFilm
    steps: Sequence[int | None]
    """The step in each slot."""
    tones: dict[int, str] = field(default_factory=dict)
    """The tone of the slots that are not plain steps."""
    title: str = ""
    icon: str = ""

    def __post_init__(self) -> None:
        self.title, self.icon = self.film.title, self.film.icon

    def is_empty(self) -> bool:
        return not self.steps

    def slot(self, number: int) -> FilmSlot:
        step = self.steps[number] if number < len(self.steps) else None
        return FilmSlot(SlotKind.GAP) if step is None else self.film.slot(step)

    def tone(self, number: int) -> str:
        step = self.steps[number]
        return "" if step is None else self.tones.get(number) or self.film.tone(step)


@dataclass(slots=True)
class AlignedMarks:
    """A lane whose marks name steps, with each mark at the slot of its step.

    A bar reaches to the slot of its last step, over the gaps between. The words of ``differing`` slots are
    amber.
    """

    lane: TextLane
    slots: Sequence[int]
    """The slot of each step, ascending."""
    differing: frozenset[int] = frozenset()
    title: str = ""
    icon: str = ""

    def __post_init__(self) -> None:
        self.title, self.icon = self.lane.title, self.lane.icon

    def is_empty(self) -> bool:
        return self.lane.is_empty()

    def _steps(self, first: int, last: int) -> tuple[int, int]:
        """First and last step in a range of slots; without any the last is before the first."""
        return bisect_left(self.slots, first), bisect_right(self.slots, last) - 1

    def _slot(self, step: int) -> int:
        return self.slots[min(step, len(self.slots) - 1)]

    def marks(self, first: int, last: int) -> Iterable[LaneMark]:
        if not self.slots:
            return
        for mark in self.lane.marks(*self._steps(first, last)):
            slot = self._slot(mark.slot)
            bar = self._slot(mark.slot + mark.bar - 1) - slot + 1 if mark.bar else 0
            differs = slot in self.differing
            yield replace(
                mark, slot=slot, bar=bar, tone="warn" if differs else mark.tone,
                ink="warn" if differs else mark.ink,
            )  # fmt: skip

    def ticks(self, first: int, last: int) -> Iterable[LaneTick]:
        if not self.slots:
            return
        for tick in self.lane.ticks(*self._steps(first, last)):
            slot = self._slot(tick.slot)
            length = self._slot(tick.slot + tick.length - 1) - slot + 1
            yield LaneTick(slot, length, "warn" if slot in self.differing else tick.tone)
