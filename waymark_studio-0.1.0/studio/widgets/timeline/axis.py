"""The axis of a timeline: by step, by the clock of each trajectory, or by one clock for all. No Qt."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

from studio.widgets.timeline.grid import ClockGrid, SlotGrid, TimelineGrid, thinned
from studio.widgets.timeline.lanes import FilmLane, LaneGroup, Track
from studio.widgets.timeline.sizes import TimelineSizes

CLOCK_LEAD = 8
"""Space between the gutter and the time 0."""


class TimeAxis(StrEnum):
    """What x means."""

    STEP = "step"
    """Slots side by side, each as wide as the others."""
    CLOCK = "clock"
    """The time since each trajectory began: the same slot lies at another x in each."""
    COMMON_CLOCK = "common-clock"
    """One time for all trajectories: a slot lasts as long as its longest step."""


def longest_step(groups: Sequence[LaneGroup], slot: int) -> int:
    """How long a slot lasts in the trajectory in which it lasts longest, in ms."""
    return max(group.times[slot + 1] - group.times[slot] for group in groups)


def common_times(groups: Sequence[LaneGroup]) -> tuple[int, ...]:
    """The time of each slot, and of the end, when a slot lasts as long as its longest step."""
    times, now = [0], 0
    for slot in range(len(groups[0].times) - 1 if groups else 0):
        now += longest_step(groups, slot)
        times.append(now)
    return tuple(times)


class AxisGrids:
    """The grids of the trajectories of a track, for any zoom and scrolling."""

    def __init__(self, sizes: TimelineSizes) -> None:
        self._sizes = sizes
        self._track = Track()
        self._axis = TimeAxis.STEP
        self._times: list[Sequence[int]] = []
        self._thumbs: dict[tuple[int, float], frozenset[int]] = {}

    @property
    def axis(self) -> TimeAxis:
        return self._axis

    @property
    def is_shared(self) -> bool:
        """Whether a slot lies at the same x in all trajectories."""
        return self._axis is not TimeAxis.CLOCK

    def show(self, track: Track, axis: TimeAxis) -> None:
        """Set the track and its axis; by step where the track has no times."""
        self._track = track
        self._axis = axis if track.has_times else TimeAxis.STEP
        self._thumbs.clear()
        if self._axis is TimeAxis.CLOCK:
            self._times = [group.times for group in track.groups]
        elif self._axis is TimeAxis.COMMON_CLOCK:
            self._times = [common_times(track.groups)] * len(track.groups)

    def grid(self, group: int, left: int, width: float) -> TimelineGrid:
        """The grid of a trajectory: slot 0 at ``left``, a slot ``width`` wide, by the clock on average."""
        if self._axis is TimeAxis.STEP or not self._times:
            return SlotGrid(left, width, self._track.count, self._sizes)
        per_ms, times = self.per_ms(width), self._times[group]
        return ClockGrid(left + CLOCK_LEAD, per_ms, times, self._sizes, self._thinned(group, per_ms))

    def per_ms(self, width: float) -> float:
        """Pixels of a millisecond, when a slot is ``width`` wide on average."""
        longest = max((times[-1] for times in self._times), default=0)
        return width * max(1, self._track.count) / max(1, longest)

    def _thinned(self, group: int, per_ms: float) -> frozenset[int]:
        key = (group, per_ms)
        if key not in self._thumbs:
            if len(self._thumbs) >= len(self._track.groups):
                self._thumbs.clear()  # of another zoom
            film = next(
                (lane for lane in self._track.groups[group].lanes if isinstance(lane, FilmLane)), None
            )
            present = (slot for slot in range(self._track.count) if film is not None and film.tone(slot))
            self._thumbs[key] = thinned(self._times[group], per_ms, present, self._sizes)
        return self._thumbs[key]

    def side_at(self, slot: int) -> int:
        """The first trajectory that has a step in a slot: the cursor stands at its time."""
        groups = range(len(self._track.groups))
        return next((group for group in groups if self.has_step(group, slot)), 0)

    def has_step(self, group: int, slot: int) -> bool:
        """Whether a trajectory has a step in a slot, no gap."""
        film = self._film(group)
        return film is not None and 0 <= slot < self._track.count and bool(film.tone(slot))

    def _film(self, group: int) -> FilmLane | None:
        lanes = self._track.groups[group].lanes
        return lanes[0] if lanes and isinstance(lanes[0], FilmLane) else None
