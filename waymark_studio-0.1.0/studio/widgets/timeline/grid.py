"""Where slots lie: side by side with one width, or at their times. No Qt."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from studio.widgets.timeline.sizes import RECORDING_SIZES, TimelineSizes

_LEAST_THUMB = 6
_THUMB_GAP = 4


class TimelineGrid(Protocol):
    """Positions of slots in pixels of the viewport, after scrolling."""

    @property
    def left(self) -> int: ...
    @property
    def count(self) -> int: ...
    @property
    def width(self) -> float:
        """Width of a slot, the mean where they differ."""
        ...

    @property
    def thumb_width(self) -> int: ...
    @property
    def inset(self) -> int: ...
    @property
    def is_overview(self) -> bool:
        """Whether slots are too narrow for thumbnails."""
        ...

    def x(self, slot: int) -> int: ...
    def middle(self, slot: int) -> int:
        """The x of the cursor in a slot."""
        ...

    def slot_at(self, x: float) -> int:
        """The slot at or nearest to an x; -1 without slots."""
        ...

    def thumb_at(self, x: float) -> int:
        """The slot whose thumbnail is at an x, else the slot itself."""
        ...

    def in_sight(self, first_x: int, last_x: int) -> range:
        """The slots that lie at least in part between two x."""
        ...

    def has_thumb(self, slot: int) -> bool:
        """Whether there is room for the thumbnail of a slot."""
        ...


@dataclass(frozen=True, slots=True)
class SlotGrid:
    """Slots of one width: ``left`` is the x of slot 0 after scrolling."""

    left: int
    width: float
    count: int
    sizes: TimelineSizes = RECORDING_SIZES

    def x(self, slot: int) -> int:
        return self.left + round(slot * self.width)

    def slot_at(self, x: float) -> int:
        return min(max(int((x - self.left) // self.width), 0), self.count - 1)

    def thumb_at(self, x: float) -> int:
        return self.slot_at(x)

    def in_sight(self, first_x: int, last_x: int) -> range:
        first = max(0, int((first_x - self.left) // self.width))
        last = min(self.count, int((last_x - self.left) // self.width) + 1)
        return range(first, max(first, last))

    @property
    def thumb_width(self) -> int:
        """Width of a thumbnail; narrow slots have narrow ones."""
        return max(_LEAST_THUMB, min(self.sizes.thumb_width, int(self.width) - 6))

    @property
    def inset(self) -> int:
        return min(self.sizes.inset, max(3, int(self.width - self.thumb_width) // 2))

    @property
    def is_overview(self) -> bool:
        return self.width < self.sizes.overview_below

    def middle(self, slot: int) -> int:
        """The middle of the thumbnail of a slot."""
        if self.is_overview:
            return self.x(slot) + int(self.width / 2)
        return self.x(slot) + self.inset + self.thumb_width // 2

    def has_thumb(self, slot: int) -> bool:
        return 0 <= slot < self.count and not self.is_overview


@dataclass(frozen=True, slots=True)
class ClockGrid:
    """Slots at their times: ``times`` has that of each slot and of the end, in milliseconds, ascending.

    A slot of a gap has the time of the next step and takes no room.
    """

    left: int
    per_ms: float
    """Pixels of a millisecond."""
    times: Sequence[int]
    sizes: TimelineSizes = RECORDING_SIZES
    thumbs: frozenset[int] | None = field(default=None, compare=False)
    """The slots with a thumbnail; None for all, from :func:`thinned` so that none overlaps another."""

    @property
    def count(self) -> int:
        return len(self.times) - 1

    @property
    def width(self) -> float:
        return max(0.001, self.times[-1] * self.per_ms / max(1, self.count))

    @property
    def thumb_width(self) -> int:
        return self.sizes.thumb_width

    @property
    def inset(self) -> int:
        return 0

    @property
    def is_overview(self) -> bool:
        """By the clock some steps are close and others apart, so that words have room for longer."""
        return self.width < self.sizes.overview_below / 3

    def x(self, slot: int) -> int:
        beyond = max(0, slot - self.count)
        at = self.times[min(slot, self.count)] * self.per_ms
        return self.left + round(at) + beyond * self.sizes.slot

    def middle(self, slot: int) -> int:
        return self.x(slot)

    def slot_at(self, x: float) -> int:
        if not self.count:
            return -1
        moment = (x - self.left) / self.per_ms
        return min(max(bisect_right(self.times, moment) - 1, 0), self.count - 1)

    def thumb_at(self, x: float) -> int:
        """Of steps at nearly the same time the one whose thumbnail covers the others."""
        slot = self.slot_at(x)
        for covering in range(slot, -1, -1):
            if x - self.x(covering) >= self.thumb_width:
                break
            if self.has_thumb(covering):
                return covering
        return slot

    def in_sight(self, first_x: int, last_x: int) -> range:
        # A thumbnail that begins left of the view reaches into it.
        first = bisect_left(self.times, (first_x - self.thumb_width - self.left) / self.per_ms) - 1
        last = bisect_right(self.times, (last_x - self.left) / self.per_ms)
        return range(max(0, first), max(0, min(self.count, last)))

    def has_thumb(self, slot: int) -> bool:
        return self.thumbs is None or slot in self.thumbs


def thinned(
    times: Sequence[int], per_ms: float, present: Iterator[int], sizes: TimelineSizes
) -> frozenset[int]:
    """The slots of ``present`` whose thumbnails lie side by side without overlapping, from the first on."""
    kept, free = [], -1.0
    for slot in present:
        at = times[slot] * per_ms
        if at >= free:
            kept.append(slot)
            free = at + sizes.thumb_width + _THUMB_GAP
    return frozenset(kept)
