"""What a timeline shows of its track now, and where each slot and lane lies in its viewport."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QRect

from studio.widgets.timeline.axis import AxisGrids, TimeAxis
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lane_rows import LaneRow
from studio.widgets.timeline.lanes import Track
from studio.widgets.timeline.ruler_painter import divergence_box
from studio.widgets.timeline.sizes import RULER, TimelineSizes


@dataclass
class TimelineView:
    """What a timeline shows of its track now, and where."""

    sizes: TimelineSizes
    grids: AxisGrids
    track: Track = field(default_factory=Track)
    rows: list[LaneRow] = field(default_factory=list)
    current: int = -1
    width: float = 0.0
    """Width of a slot in logical pixels, the mean by the clock."""
    across: int = 0
    """How far it is scrolled to the right."""
    down: int = 0
    selected: range | None = None
    bookmarks: Mapping[int, str] = field(default_factory=dict)
    matching: Collection[int] | None = None
    divergence_key: str = "Home"

    def grid(self, group: int = 0) -> TimelineGrid:
        return self.grids.grid(group, self.sizes.gutter - self.across, self.width)

    def all_grids(self) -> list[TimelineGrid]:
        """The grids of all trajectories."""
        return [self.grid(number) for number in range(len(self.track.groups))]

    @property
    def cursor_x(self) -> int:
        """The x of the cursor: by the clock the time of the first trajectory with a step in its slot."""
        side = self.grids.side_at(self.current) if self.grids.axis is TimeAxis.CLOCK else 0
        return self.grid(side).middle(self.current)

    def top(self, row: LaneRow) -> int:
        return RULER - self.down + row.top

    @property
    def bottom(self) -> int:
        """The y below the last lane."""
        return max(RULER, self.top(self.rows[-1]) + self.rows[-1].height) if self.rows else RULER

    @property
    def divergence_box(self) -> QRect | None:
        """Where the label of the first divergence stands on the ruler."""
        slot = self.track.divergence
        if slot is None:
            return None
        by_step = self.grids.axis is TimeAxis.STEP
        grid = self.grid(self.grids.side_at(slot))
        return divergence_box(grid, slot, self.divergence_key, self.track.label(slot) if by_step else "")

    def ruler_grid(self, slot: int) -> TimelineGrid:
        """The grid by which the ruler shows a slot."""
        return self.grid(self.grids.side_at(slot) if self.grids.axis is TimeAxis.CLOCK else 0)
