"""Paint a timeline: gutter, lanes, ruler, and what lies over them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.painting import draw_text, text_width
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline import ruler_painter as ruler
from studio.widgets.timeline.axis import AxisGrids, TimeAxis
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.gutter_painter import paint_group, paint_lane_name
from studio.widgets.timeline.lane_painter import LanePainter
from studio.widgets.timeline.lane_rows import LaneRow
from studio.widgets.timeline.lanes import FilmLane, Track
from studio.widgets.timeline.sizes import RULER, TimelineSizes

_DIM = 170
"""Alpha, of 255, of what lies over slots that a filter leaves out."""
_OUTSIDE = 110
"""The same over what is outside the range."""


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
        return ruler.divergence_box(
            grid, slot, self.divergence_key, self.track.label(slot) if by_step else ""
        )

    def ruler_grid(self, slot: int) -> TimelineGrid:
        """The grid by which the ruler shows a slot."""
        return self.grid(self.grids.side_at(slot) if self.grids.axis is TimeAxis.CLOCK else 0)


class CanvasPainter:
    """Paints a view into the part of the viewport that is to be painted anew."""

    def __init__(self, thumbnails: ThumbnailCache, view: TimelineView) -> None:
        self.lanes = LanePainter(thumbnails, view.sizes)
        self._view = view
        self._is_alone = view.sizes.overview_below == 0

    def paint(self, painter: QPainter, size: QRect, dirty: QRect) -> None:
        """``size`` is the viewport, ``dirty`` the part to paint."""
        view = self._view
        gutter, line = view.sizes.gutter, theme.color("line")
        painter.fillRect(dirty, theme.color("bg-1"))
        visible = range(max(gutter, dirty.left()), dirty.right() + 1)
        slots = QRect(visible.start, RULER, max(0, visible.stop - visible.start), size.height())
        grids = [view.grid(number) for number in range(len(view.track.groups))]
        if not self._is_alone and view.current >= 0:
            painter.setClipRect(slots)
            self._tint(painter, grids, size)
            painter.setClipping(False)
        gaps = self._lanes(painter, grids, size, visible)
        painter.setClipRect(slots)
        self._over_lanes(painter, grids, visible)
        painter.setClipping(False)
        self._ruler(painter, size, visible)
        painter.fillRect(gutter - 1, 0, 1, size.height(), line)
        painter.setClipRect(gutter, 0, size.width() - gutter, size.height())
        self._over_ruler(painter, size, visible, gaps)

    # -- lanes ---------------------------------------------------------------
    def _lanes(
        self, painter: QPainter, grids: list[TimelineGrid], size: QRect, visible: range
    ) -> list[range]:  # fmt: skip
        """Paint all lanes; return the y of those whose words the cursor would cross."""
        view, gutter, gaps = self._view, self._view.sizes.gutter, []
        seen = [grid.in_sight(visible.start, visible.stop) for grid in grids]
        for row in view.rows:
            top = view.top(row)
            if top + row.height <= RULER or top >= size.height():
                continue
            painter.fillRect(0, top + row.height - 1, size.width(), 1, theme.color("line"))
            clip_top = max(RULER, top)
            painter.setClipRect(visible.start, clip_top, len(visible), top + row.height - clip_top)
            is_film = isinstance(row.lane, FilmLane)
            if not self._is_alone and not is_film:
                self._cursor_part(painter, top, row.height)  # below the words
            crossed = self.lanes.paint(painter, row, grids[row.group], seen[row.group], top, view.current)
            if not self._is_alone and is_film:
                self._cursor_part(painter, top, row.height)
            painter.setClipping(False)
            self._gutter(painter, QRect(0, top, gutter, row.height), row)
            if crossed:
                gaps.append(range(top, top + row.height))
        return gaps

    def _gutter(self, painter: QPainter, rect: QRect, row: LaneRow) -> None:
        painter.setClipRect(rect.intersected(QRect(0, RULER, rect.width(), rect.bottom() + 1)))
        group = self._view.track.groups[row.group]
        if row.is_head and group.letter:
            paint_group(painter, rect, group)
        else:
            paint_lane_name(painter, rect, row.lane, grouped=bool(group.letter))
        painter.setClipping(False)

    def _cursor_part(self, painter: QPainter, top: int, height: int) -> None:
        if self._view.current >= 0:
            painter.fillRect(self._view.cursor_x, top, 1, height, theme.color("accent"))

    def _tint(self, painter: QPainter, grids: list[TimelineGrid], size: QRect) -> None:
        """Paint the ground of the current slot, by the clock in each trajectory that has a step in it."""
        view, color = self._view, theme.color("accent-weak")
        columns = self._columns(grids, range(view.current, view.current + 1), only_steps=True)
        for left, width, top, bottom in columns:
            painter.fillRect(left, top, width, min(bottom, size.height()) - top, color)

    def _columns(
        self, grids: list[TimelineGrid], slots: range, *, only_steps: bool = False
    ) -> list[tuple[int, int, int, int]]:
        """Left, width, top and bottom of slots: one column where all trajectories share their x."""
        view = self._view
        if view.grids.is_shared or not grids:
            grid = grids[0] if grids else view.grid()
            return [(*_span(grid, slots), RULER, view.bottom)]
        columns = []
        for number, grid in enumerate(grids):
            if only_steps and not view.grids.has_step(number, slots.start):
                continue
            tops = [view.top(row) for row in view.rows if row.group == number]
            ends = [view.top(row) + row.height for row in view.rows if row.group == number]
            if tops:
                columns.append((*_span(grid, slots), tops[0], ends[-1]))
        return columns

    def _over_lanes(self, painter: QPainter, grids: list[TimelineGrid], visible: range) -> None:
        """Paint what a filter leaves out, what is outside the range, and the first divergence."""
        view = self._view
        if view.matching is not None:
            shade = theme.color("bg-1")
            shade.setAlpha(_DIM)
            self._shade(painter, grids, _stretches(view.matching, self._seen(grids, visible)), shade)
        if view.selected is not None:
            shade = theme.color("bg-1")
            shade.setAlpha(_OUTSIDE)
            outside = [range(view.selected.start), range(view.selected.stop, view.track.count)]
            self._shade(painter, grids, [slots for slots in outside if slots], shade)
        if view.track.divergence is not None:
            slots = range(view.track.divergence, view.track.divergence + 1)
            for left, _width, top, bottom in self._columns(grids, slots):
                ruler.paint_divergence_line(painter, left, top, bottom - 1)

    def _shade(
        self, painter: QPainter, grids: list[TimelineGrid], stretches: list[range], shade: QColor
    ) -> None:
        for stretch in stretches:
            for left, width, top, bottom in self._columns(grids, stretch):
                painter.fillRect(QRect(left, top, width, bottom - top), shade)

    @staticmethod
    def _seen(grids: list[TimelineGrid], visible: range) -> range:
        seen = [grid.in_sight(visible.start, visible.stop) for grid in grids]
        return range(
            min((part.start for part in seen), default=0), max((part.stop for part in seen), default=0)
        )

    # -- ruler ---------------------------------------------------------------
    def _ruler(self, painter: QPainter, size: QRect, visible: range) -> None:
        view, gutter = self._view, self._view.sizes.gutter
        painter.fillRect(0, 0, size.width(), RULER, theme.color("bg-2"))
        painter.fillRect(0, RULER - 1, size.width(), 1, theme.color("line"))
        by_step = view.grids.axis is TimeAxis.STEP
        if not self._is_alone:
            words = _("step") if by_step else _("time")
            draw_text(painter, QRect(12, 0, gutter - 16, RULER - 1), words, "body", "text-2")
        painter.setClipRect(gutter, 0, size.width() - gutter, RULER)
        if not view.track.count:
            return
        if by_step:
            self._labels(painter, visible)
        else:
            chip = view.divergence_box
            taken = range(chip.left(), chip.right() + 4) if chip is not None else range(0)
            shown = range(gutter, size.width())
            ruler.paint_clock(painter, view.grid().x(0), view.grids.per_ms(view.width), shown, taken)
        painter.setClipping(False)

    def _labels(self, painter: QPainter, visible: range) -> None:
        view = self._view
        grid = view.grid()
        chip = view.divergence_box
        for slot in grid.in_sight(visible.start, visible.stop):
            text = view.track.label(slot)
            if chip is not None and slot != view.track.divergence:
                left = grid.x(slot) + grid.inset
                if left < chip.right() + 4 and left + text_width(text) > chip.left():
                    text = ""
            ruler.paint_label(painter, grid, slot, text, current=slot == view.current)

    def _over_ruler(self, painter: QPainter, size: QRect, visible: range, gaps: list[range]) -> None:
        view = self._view
        if view.track.count and not self._is_alone:
            for mark in view.track.differences:
                ruler.paint_differences(painter, view.ruler_grid(mark.first), (mark,), visible)
            for slot in view.bookmarks:
                ruler.paint_bookmarks(painter, view.ruler_grid(slot), (slot,), visible)
            chip = view.divergence_box
            if chip is not None and view.track.divergence is not None:
                left = view.ruler_grid(view.track.divergence).x(view.track.divergence)
                ruler.paint_divergence_line(painter, left, 0, RULER)
                ruler.paint_divergence_label(painter, chip, view.divergence_key)
        if view.selected is not None:
            grid = view.ruler_grid(view.selected.start)
            left, width = _span(grid, view.selected)
            ruler.paint_range(painter, left, left + width, min(view.bottom, size.height()))
        if view.current >= 0:
            end = min(size.height(), view.bottom) if self._is_alone else RULER
            ruler.paint_cursor(painter, view.cursor_x, end, gaps if self._is_alone else ())


def _span(grid: TimelineGrid, slots: range) -> tuple[int, int]:
    """Left and width of slots; a thumbnail by the clock is inside."""
    left = grid.x(slots.start)
    least = 0 if grid.is_overview else grid.thumb_width
    return left, max(grid.x(slots.stop) - left, least, 1)


def _stretches(matching: Collection[int], seen: range) -> list[range]:
    """The stretches of ``seen`` that do not match."""
    stretches: list[range] = []
    for slot in seen:
        if slot in matching:
            continue
        if stretches and stretches[-1].stop == slot:
            stretches[-1] = range(stretches[-1].start, slot + 1)
        else:
            stretches.append(range(slot, slot + 1))
    return stretches
