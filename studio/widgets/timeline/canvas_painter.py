"""Paint a timeline: its lanes, the current slot, the ruler, and what lies over them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.painting import draw_text
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline import ruler_painter as ruler
from studio.widgets.timeline.axis import TimeAxis
from studio.widgets.timeline.canvas_view import TimelineView
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lane_layer import LaneLayer
from studio.widgets.timeline.lane_painter import LanePainter
from studio.widgets.timeline.lane_rows import LaneRow
from studio.widgets.timeline.sizes import RULER

_DIM = 170
"""Alpha, of 255, of what lies over slots that a filter leaves out."""
_OUTSIDE = 110
"""Alpha, of 255, of what lies over slots outside the range."""
_TICKED = 4
"""Width of slots from which each has its tick on the ruler."""
_RING = 3
"""How far the ring of the current thumbnail reaches beyond it."""


class CanvasPainter:
    """Paints a view. The lanes are painted once; the slot of the cursor each time, over them."""

    def __init__(self, thumbnails: ThumbnailCache, view: TimelineView) -> None:
        self.lanes = LanePainter(thumbnails, view.sizes)
        self.layer = LaneLayer(self.lanes, view)
        self._view = view

    def paint(self, painter: QPainter, size: QRect) -> None:
        """``size`` is the viewport."""
        view, gutter = self._view, self._view.sizes.gutter
        painter.drawPixmap(0, 0, self.layer.pixmap(size.size(), painter.device().devicePixelRatioF()))
        visible = range(gutter, size.width())
        slots = QRect(gutter, RULER, max(0, len(visible)), size.height())
        grids = view.all_grids()
        gaps: list[range] = []
        if view.current >= 0:
            for number, grid in enumerate(grids):
                gaps += self._current(painter, number, grid, slots)
        painter.setClipRect(slots)
        self._over_lanes(painter, grids, visible)
        painter.setClipping(False)
        self._ruler(painter, size, visible)
        painter.fillRect(gutter - 1, 0, 1, size.height(), theme.color("line"))
        painter.setClipRect(gutter, 0, size.width() - gutter, size.height())
        self._over_ruler(painter, size, visible, gaps)

    # -- the current slot ------------------------------------------------------
    def _current(self, painter: QPainter, group: int, grid: TimelineGrid, slots: QRect) -> list[range]:
        """Paint the current slot of a trajectory; return the y of lanes whose words the cursor crosses."""
        view, gaps = self._view, []
        has_slot = view.grids.is_shared or view.grids.has_step(group, view.current)
        left, width = _span(grid, range(view.current, view.current + 1))
        ring = left + grid.inset + grid.thumb_width + _RING
        column = range(left - max(0, _RING - grid.inset), max(left + width, 0 if grid.is_overview else ring))
        for row in view.rows:
            top = view.top(row)
            lane = QRect(column.start, top, len(column), row.height)
            if row.group != group or not QRect(slots.left(), top, slots.width(), row.height).intersects(
                slots
            ):
                continue
            if has_slot and lane.intersects(slots):
                painter.setClipRect(lane.intersected(slots))
                ground = QRect(left, top, width, row.height)
                if self._current_lane(painter, row, grid, lane, ground):
                    gaps.append(range(top, top + row.height))
            if view.side_by_side and not (has_slot and view.cursor_x in column):
                painter.setClipRect(slots)
                painter.fillRect(view.cursor_x, top, 1, row.height, theme.color("accent"))
        return gaps

    def _current_lane(
        self, painter: QPainter, row: LaneRow, grid: TimelineGrid, lane: QRect, ground: QRect
    ) -> bool:
        """Paint a lane in the column of the current slot: its ground, the cursor below words, the slot."""
        view = self._view
        painter.fillRect(lane, theme.color("bg-1"))
        if view.side_by_side:
            painter.fillRect(ground, theme.color("accent-weak"))
            if row.film is None:
                painter.fillRect(view.cursor_x, lane.top(), 1, lane.height(), theme.color("accent"))
        seen = grid.in_sight(lane.left(), lane.right())
        painted = self.lanes.paint(painter, row, grid, seen, lane.top(), view.current)
        painter.fillRect(lane.left(), lane.bottom(), lane.width(), 1, theme.color("line"))
        if view.side_by_side and row.film is not None:
            painter.fillRect(view.cursor_x, lane.top(), 1, lane.height(), theme.color("accent"))
        return painted.is_crossed

    # -- over the lanes --------------------------------------------------------
    def _columns(self, grids: list[TimelineGrid], slots: range) -> list[QRect]:
        """Where slots lie: one column where all trajectories share their x, else one in each."""
        view = self._view
        if view.grids.is_shared:
            left, width = _span(grids[0] if grids else view.grid(), slots)
            return [QRect(left, RULER, width, view.bottom - RULER)]
        columns = []
        for number, grid in enumerate(grids):
            rows = [row for row in view.rows if row.group == number]
            if not rows:
                continue
            top, bottom = view.top(rows[0]), view.top(rows[-1]) + rows[-1].height
            left, width = _span(grid, slots)
            columns.append(QRect(left, top, width, bottom - top))
        return columns

    def _over_lanes(self, painter: QPainter, grids: list[TimelineGrid], visible: range) -> None:
        """Paint what a filter leaves out, what is outside the range, and the first divergence."""
        view = self._view
        if view.matching is not None:
            seen = _seen(grids, visible)
            self._shade(painter, grids, _stretches(view.matching, seen), _DIM)
        if view.selected is not None:
            outside = [range(view.selected.start), range(view.selected.stop, view.track.count)]
            self._shade(painter, grids, [slots for slots in outside if slots], _OUTSIDE)
        if view.track.divergence is not None:
            slots = range(view.track.divergence, view.track.divergence + 1)
            for column in self._columns(grids, slots):
                ruler.paint_divergence_line(painter, column.left(), column.top(), column.bottom())

    def _shade(
        self, painter: QPainter, grids: list[TimelineGrid], stretches: list[range], alpha: int
    ) -> None:
        shade = QColor(theme.color("bg-1"))
        shade.setAlpha(alpha)
        for stretch in stretches:
            for column in self._columns(grids, stretch):
                painter.fillRect(column, shade)

    # -- ruler ---------------------------------------------------------------
    def _ruler(self, painter: QPainter, size: QRect, visible: range) -> None:
        view, gutter = self._view, self._view.sizes.gutter
        painter.fillRect(0, 0, size.width(), RULER, theme.color("bg-2"))
        painter.fillRect(0, RULER - 1, size.width(), 1, theme.color("line"))
        by_step = view.grids.axis is TimeAxis.STEP
        if view.side_by_side:
            words = _("step") if by_step else _("time")
            draw_text(painter, QRect(12, 0, gutter - 16, RULER - 1), words, "body", "text-2")
        painter.setClipRect(gutter, 0, size.width() - gutter, RULER)
        if not view.track.count:
            return
        if by_step:
            self._labels(painter, visible)
        else:
            ruler.paint_clock(painter, view.clock_labels(range(gutter, size.width())))
        painter.setClipping(False)

    def _labels(self, painter: QPainter, visible: range) -> None:
        view, grid = self._view, self._view.grid()
        seen = grid.in_sight(visible.start, visible.stop)
        every = view.slots_between_labels
        if every > 1 and grid.width >= _TICKED:
            ruler.paint_ticks(painter, grid, seen)
        for slot in view.labelled_slots(seen):
            ruler.paint_label(painter, grid, slot, view.slot_label(slot), current=slot == view.current)

    def _over_ruler(self, painter: QPainter, size: QRect, visible: range, gaps: list[range]) -> None:
        view = self._view
        if view.track.count and view.side_by_side:
            self._differences(painter, visible)
            for slot in view.bookmarks:
                ruler.paint_bookmarks(painter, view.ruler_grid(slot), (slot,), visible)
            if view.track.divergence is not None:
                left = view.ruler_grid(view.track.divergence).x(view.track.divergence)
                ruler.paint_divergence_line(painter, left, 0, RULER)
                if (flag := view.divergence_flag) is not None:
                    ruler.paint_divergence_flag(painter, flag)
        if view.selected is not None:
            left, width = _span(view.grid(), view.selected)
            ruler.paint_range(painter, left, left + width, min(view.bottom, size.height()))
        if view.current >= 0:
            # Side by side the lanes have their parts of the line already.
            end = RULER if view.side_by_side else min(size.height(), view.bottom)
            ruler.paint_cursor(painter, view.cursor_x, end, () if view.side_by_side else gaps)

    def _differences(self, painter: QPainter, visible: range) -> None:
        """Paint the differences in sight, by the clock at the times of the reference."""
        grid, marks = self._view.grid(), self._view.track.differences
        seen = grid.in_sight(visible.start, visible.stop)
        known = marks[: bisect_left(marks, seen.stop, key=lambda mark: mark.first)]
        ruler.paint_differences(painter, grid, (mark for mark in known if mark.last >= seen.start), visible)


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


def _seen(grids: list[TimelineGrid], visible: range) -> range:
    """The slots that are visible in any trajectory."""
    seen = [grid.in_sight(visible.start, visible.stop) for grid in grids]
    return range(min((part.start for part in seen), default=0), max((part.stop for part in seen), default=0))
