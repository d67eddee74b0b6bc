"""The painted lanes of a timeline, kept until something in them changes: moving the cursor paints no lane."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPixmap, QRegion

from studio.theme import theme
from studio.widgets.painting import draw_text
from studio.widgets.timeline.canvas_view import TimelineView
from studio.widgets.timeline.lane_painter import LanePainter
from studio.widgets.timeline.lane_rows import LaneRow
from studio.widgets.timeline.lanes import Lane, LaneGroup
from studio.widgets.timeline.sizes import RULER


class LaneLayer:
    """Lanes and gutter without the cursor, as a picture of the viewport.

    Scrolling along the steps moves the picture and paints what comes into sight.
    """

    def __init__(self, lanes: LanePainter, view: TimelineView) -> None:
        self._lanes, self._view = lanes, view
        self._pixmap = QPixmap()
        self._stale = QRegion()
        self._waiting: dict[Hashable, QRegion] = {}
        """Where thumbnails are missing that were requested."""

    def invalidate(self) -> None:
        """Paint everything anew, before it is shown again."""
        self._pixmap = QPixmap()
        self._waiting.clear()

    def thumbnail_arrived(self, key: Hashable) -> QRegion:
        """Paint a thumbnail where it was missing; return where."""
        region = self._waiting.pop(key, QRegion())
        self._stale += region
        return region

    def scroll(self, across: int) -> None:
        """Move what is painted ``across`` logical pixels to the right."""
        if self._pixmap.isNull() or not across:
            return
        ratio = self._pixmap.devicePixelRatio()
        slots = self._slots(self._pixmap.deviceIndependentSize().toSize())
        if abs(across) >= slots.width() or across * ratio != int(across * ratio) or not self._stale.isEmpty():
            self.invalidate()
            return
        device = QRect(
            round(slots.left() * ratio), round(slots.top() * ratio),
            round(slots.width() * ratio), round(slots.height() * ratio),
        )  # fmt: skip
        self._pixmap.scroll(int(across * ratio), 0, device)
        left = slots.left() if across > 0 else slots.right() + 1 + across
        self._stale += QRegion(QRect(left, slots.top(), abs(across), slots.height()))
        moved = ((key, region.translated(across, 0)) for key, region in self._waiting.items())
        self._waiting = {key: region for key, region in moved if region.intersects(slots)}

    def _slots(self, size: QSize) -> QRect:
        gutter = self._view.sizes.gutter
        return QRect(gutter, RULER, max(0, size.width() - gutter), max(0, size.height() - RULER))

    def pixmap(self, size: QSize, ratio: float) -> QPixmap:
        """The picture of a viewport, with ``ratio`` pixels for each logical one."""
        wanted = QSize(round(size.width() * ratio), round(size.height() * ratio))
        if self._pixmap.size() != wanted or self._pixmap.devicePixelRatio() != ratio:
            self._waiting.clear()
            self._pixmap = QPixmap(wanted)
            self._pixmap.setDevicePixelRatio(ratio)
            self._stale = QRegion(QRect(0, 0, size.width(), size.height()))
        if not self._stale.isEmpty():
            painter = QPainter(self._pixmap)
            for rect in list(self._stale):  # type: ignore[call-overload]  # as Qt for Python has it
                self._paint(painter, rect, size)
            painter.end()
            self._stale = QRegion()
        return self._pixmap

    def _paint(self, painter: QPainter, rect: QRect, size: QSize) -> None:
        view, slots = self._view, self._slots(size)
        painter.setClipRect(rect)
        painter.fillRect(rect, theme.color("bg-1"))
        visible = range(max(slots.left(), rect.left()), rect.right() + 1)
        grids = view.all_grids()
        seen = [grid.in_sight(visible.start, visible.stop) for grid in grids]
        line = theme.color("line")
        for row in view.rows:
            top = view.top(row)
            lane = QRect(0, top, size.width(), row.height)
            if top + row.height <= RULER or not lane.intersects(rect):
                continue
            if visible:
                painter.setClipRect(rect.intersected(slots).intersected(lane))
                painted = self._lanes.paint(painter, row, grids[row.group], seen[row.group], top)
                for key, place in painted.missing:
                    self._waiting[key] = self._waiting.get(key, QRegion()) + QRegion(place.intersected(slots))
            painter.setClipRect(rect)
            if rect.left() < view.sizes.gutter:
                self._gutter(painter, QRect(0, top, view.sizes.gutter, row.height), row)
            painter.fillRect(0, top + row.height - 1, size.width(), 1, line)

    def _gutter(self, painter: QPainter, rect: QRect, row: LaneRow) -> None:
        group = self._view.track.groups[row.group]
        if row.is_head and group.letter:
            paint_group(painter, rect, group)
        else:
            paint_lane_name(painter, rect, row.lane, grouped=bool(group.letter))


_BADGE = 18
_NAME_LEFT = 34
_LINE = 17


def paint_lane_name(painter: QPainter, rect: QRect, lane: Lane, *, grouped: bool) -> None:
    """Paint icon and title of a lane; those below a named trajectory are indented."""
    left, side = (28, 12) if grouped else (12, 14)
    theme.draw_icon_in(painter, lane.icon, QRect(rect.left() + left, rect.top(), side, rect.height()), side)
    place = rect.adjusted(46 if grouped else 32, 0, -4, 0)
    draw_text(painter, place, lane.title, "body", "text-2")


def paint_group(painter: QPainter, rect: QRect, group: LaneGroup) -> None:
    """Paint letter, name, second line and verdict of a trajectory beside its film strip."""
    badge = QRect(rect.left() + 8, rect.top() + 7, _BADGE, _BADGE)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("bg-4"))
    painter.drawRoundedRect(QRectF(badge), 3, 3)
    painter.restore()
    draw_text(painter, badge, group.letter, "heading", "text", Qt.AlignmentFlag.AlignHCenter)
    lines = [(group.name, "name", "text"), (group.about, "body", "text-2"), (group.verdict, "body", "text-2")]
    top = rect.top() + 6
    for text, role, tone in lines:
        if not text:
            continue
        place = QRect(rect.left() + _NAME_LEFT, top, rect.width() - _NAME_LEFT - 4, _LINE)
        if text is group.verdict and group.verdict_icon:
            theme.draw_icon_in(painter, group.verdict_icon, QRect(place.left(), top, 12, _LINE), 12)
            place.setLeft(place.left() + 17)
        draw_text(painter, place, text, role, tone)
        top += _LINE
