"""Paint the marks of a text lane: words with icons, bars, segments and columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPen

from studio.theme import theme
from studio.widgets.painting import NOTHING_LEFT, draw_text, elided, text_width
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lanes import LaneMark, MarkPart
from studio.widgets.timeline.sizes import TimelineSizes

_PART_GAP = 8
_ICON = 12
_LEAST_NAME = 52
_LEAST_WORDS = 14
_SEGMENT_SIDE = 5
"""Space at each side of a segment."""
_SLACK = 10
"""How far the words of segments may reach beyond their slots."""


class MarkPainter:
    """Paints the marks of lanes of one height."""

    def __init__(self, sizes: TimelineSizes) -> None:
        self._sizes = sizes

    def mark(
        self, painter: QPainter, grid: TimelineGrid, mark: LaneMark, top: int, end_slot: int, *, current: bool
    ) -> range:  # fmt: skip
        """Paint a mark with its parts, at most to ``end_slot``; return the x that its words cover.

        The words of a bar lie inside it or beside it; words too long for both take the room of both.
        """
        if mark.segments:
            return self._segments(painter, grid, mark, top, end_slot)
        left = grid.x(mark.slot) + grid.inset
        right = grid.x(end_slot) + grid.inset - 6
        if mark.level:
            self._column(painter, grid, mark, top)
        if mark.bar:
            inside = self._bar(painter, grid, mark, top) - 4
            width = self.width(mark)
            if mark.is_plain_bar or width <= inside - left:
                right = inside
            elif width <= right - inside - 8:
                left = inside + 8
        elif right - left < _ICON:  # too narrow for its icon
            painter.fillRect(left, top + self._sizes.text // 2 - 4, 2, 7, theme.color(mark.tone))
            return range(left, left + 2)
        return self._words(painter, mark, range(left, right), top, current=current)

    def _words(
        self, painter: QPainter, mark: LaneMark, room_x: range, top: int, *, current: bool
    ) -> range:  # fmt: skip
        begins, right = room_x.start, room_x.stop
        tone = "accent" if current else mark.tone
        usual = "text" if mark.bar and not mark.is_plain_bar else "text-2"
        ink = "accent" if current else mark.ink or usual
        # The name has the room first. Of the parts the icons stay visible, their words are cut before it.
        icons = [_PART_GAP + self._sizes.icon_room] * len(mark.parts)
        room = max(_LEAST_NAME, right - begins - sum(icons))
        own = MarkPart(mark.icon, mark.text)
        # Ids differ at their ends; sentences are understood by their beginnings.
        is_id = mark.bar and not mark.is_plain_bar
        cut = Qt.TextElideMode.ElideMiddle if is_id else Qt.TextElideMode.ElideRight
        left = self._part(painter, range(begins, min(right, begins + room)), top, own, (tone, ink), cut)
        for number, part in enumerate(mark.parts):
            after = sum(icons[number + 1 :])
            left = self._part(painter, range(left + _PART_GAP, right - after), top, part, ("text-2", ink))
        return range(begins - 3, left + 4)

    def _part(
        self, painter: QPainter, room: range, top: int, part: MarkPart, tones: tuple[str, str],
        cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> int:  # fmt: skip
        """Paint an icon and a text in a range of x, as far as they fit; return the x behind them."""
        left, right, high = room.start, room.stop, self._sizes.text
        if part.icon and right - left >= _ICON:
            theme.draw_icon_in(painter, part.icon, QRect(left, top, _ICON, high), _ICON, tones[0])
            left += self._sizes.icon_room
        if part.text and right - left >= _LEAST_WORDS:
            text = elided(theme.font(), part.text, right - left, cut)
            if text != NOTHING_LEFT:
                left += draw_text(painter, QRect(left, top, right - left + 2, high), text, "body", tones[1])
        return left

    def _bar(self, painter: QPainter, grid: TimelineGrid, mark: LaneMark, top: int) -> int:
        """Paint the ground of a mark over its slots, with a solid edge at its start; return its end."""
        left, right = self._ends(grid, mark)
        box = QRect(left, top + 3, max(_ICON, right - left), self._sizes.text - 7)
        if mark.is_plain_bar:
            painter.fillRect(box, theme.color("bg-3"))
            return box.right() + 1
        painter.fillRect(box, theme.color(f"{mark.tone}-weak"))
        painter.fillRect(left, box.top(), 2, box.height(), theme.color(mark.tone))
        return box.right() + 1

    @staticmethod
    def _ends(grid: TimelineGrid, mark: LaneMark) -> tuple[int, int]:
        return grid.x(mark.slot) + grid.inset - 5, grid.x(mark.slot + mark.bar) + grid.inset - 9

    def _column(self, painter: QPainter, grid: TimelineGrid, mark: LaneMark, top: int) -> None:
        """Paint a column from the bottom of the lane, as high as the level of the mark."""
        high = max(2, round(mark.level * (self._sizes.text - 5)))
        left, right = grid.x(mark.slot) + grid.inset - 5, grid.x(mark.slot + 1) + grid.inset - 9
        box = QRect(left, top + self._sizes.text - 2 - high, max(2, right - left), high)
        painter.fillRect(box, theme.color("bg-4"))

    def _segments(
        self, painter: QPainter, grid: TimelineGrid, mark: LaneMark, top: int, end_slot: int
    ) -> range:  # fmt: skip
        """Paint an outlined bar of segments: with words where they fit, else with icons alone."""
        left, right = self._ends(grid, mark)
        free = grid.x(end_slot) + grid.inset - 9
        widths, shown = _segment_widths(mark.segments, right - left, min(free, left + 400) - left)
        right = max(right, left + sum(widths))
        spare = right - left - sum(widths)
        box = QRect(left, top + 2, right - left, self._sizes.text - 5)
        color = theme.color(mark.tone)
        painter.fillRect(box, theme.color(f"{mark.tone}-weak"))
        painter.setPen(QPen(color, 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(0, 0, -1, -1))
        for number, (part, width) in enumerate(zip(shown, widths, strict=True)):
            wide = width + (spare * width // max(1, sum(widths)))
            if number:
                painter.fillRect(left, box.top(), 1, box.height(), color)
            end = left + wide - _SEGMENT_SIDE + 4
            self._part(painter, range(left + _SEGMENT_SIDE, end), top, part, (mark.tone, mark.tone))
            left += wide
        return range(box.left(), box.right() + 1)

    def width(self, mark: LaneMark) -> int:
        """Width of the icon, the words and the parts of a mark."""
        icon = self._sizes.icon_room
        own = (icon if mark.icon else 0) + text_width(mark.text)
        parts = (_PART_GAP + icon + (text_width(part.text) if part.text else 0) for part in mark.parts)
        return own + sum(parts)


def _segment_widths(
    segments: Sequence[MarkPart], inside: int, free: int
) -> tuple[list[int], list[MarkPart]]:  # fmt: skip
    """The width of each segment and what it shows: icon and word, word, or icon, whatever has the room.

    The words stay about ``inside`` the bar; icons may need all that is ``free``, and are left out last.
    """
    first, *others = segments
    choices = (
        [first, *(MarkPart("", part.text) for part in others)],
        [MarkPart(part.icon) for part in segments],
    )
    for room, shown in zip((min(inside + _SLACK, free), max(inside, free)), choices, strict=True):
        widths = [_segment_width(part) for part in shown]
        if sum(widths) <= room:
            return widths, list(shown)
    return [max(_ICON, inside)], [MarkPart(first.icon)]


def _segment_width(part: MarkPart) -> int:
    icon = (_ICON + (4 if part.text else 0)) if part.icon else 0
    return 2 * _SEGMENT_SIDE + icon + (text_width(part.text) if part.text else 0)
