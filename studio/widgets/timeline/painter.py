"""Paint the visible slots of a timeline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from collector.model.i18n import _
from studio.theme import theme, tokens
from studio.widgets.painting import draw_text, elided, text_width
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.lanes import FilmSlot, LaneMark, MarkPart, SlotKind

_FILM = tokens().group("timeline")["film_record"]
SLOT = int(_FILM["slot"])
FILM_LANE = int(_FILM["lane"])
TEXT_LANE = int(tokens().group("timeline")["lane_action_record"])
RULER = int(tokens().group("timeline")["ruler"])
THUMB_WIDTH, THUMB_HEIGHT = (int(side) for side in _FILM["thumb"])
INSET = 12
_TICK = 5
_LABEL_HEIGHT = 16
_WIDE_MARGIN = 4
"""Space at each side of a landscape thumbnail in its slot."""
_PART_GAP, _ICON = 8, 17
"""Space before a part, and that of its icon."""
_LEAST_NAME = 52


@dataclass(frozen=True, slots=True)
class SlotGrid:
    """Positions of slots: ``left`` is the x of slot 0 after scrolling, ``width`` that of one slot."""

    left: int
    width: float
    count: int

    def x(self, slot: int) -> int:
        return self.left + round(slot * self.width)

    def slot_at(self, x: float) -> int:
        """The slot at or nearest to an x; -1 without slots."""
        return min(max(int((x - self.left) // self.width), 0), self.count - 1)

    def in_sight(self, first_x: int, last_x: int) -> range:
        first = max(0, int((first_x - self.left) // self.width))
        last = min(self.count, int((last_x - self.left) // self.width) + 1)
        return range(first, max(first, last))

    @property
    def thumb_width(self) -> int:
        """Width of a thumbnail; narrow slots have narrow ones."""
        return max(6, min(THUMB_WIDTH, int(self.width) - 6))

    @property
    def inset(self) -> int:
        return min(INSET, max(3, int(self.width - self.thumb_width) // 2))

    def middle(self, slot: int) -> int:
        """The x of the cursor in a slot: the middle of its thumbnail."""
        return self.x(slot) + self.inset + self.thumb_width // 2


class SlotPainter:
    """Paints ruler, thumbnails and marks; requests thumbnails when they become visible."""

    def __init__(self, thumbnails: ThumbnailCache) -> None:
        self._thumbnails = thumbnails

    def ruler(self, painter: QPainter, grid: SlotGrid, slot: int, text: str, *, current: bool) -> None:
        x = grid.x(slot)
        painter.fillRect(x, RULER - _TICK, 1, _TICK, theme.color("line-2"))
        if text and (grid.width >= text_width(text) + 8 or slot % self._every(grid, text) == 0):
            rect = QRect(x + grid.inset, 0, text_width(text, "name") + 4, RULER - 3)
            draw_text(painter, rect, text, "name" if current else "body", "accent" if current else "text-2")

    @staticmethod
    def _every(grid: SlotGrid, text: str) -> int:
        """Label only every n-th slot when slots are narrow."""
        return max(1, int((text_width(text) + 16) / grid.width) + 1)

    def film(
        self, painter: QPainter, grid: SlotGrid, number: int, slot: FilmSlot, top: int, *, current: bool
    ) -> None:
        """Paint one slot of the film strip, in a lane that begins at ``top``."""
        is_wide = slot.aspect > 1
        box = _wide_box(grid, number, slot, top) if is_wide else _box(grid, number, top)
        if slot.kind is SlotKind.STEP:
            self._thumb(painter, box, slot)
        else:
            self._empty(painter, box, slot.kind)
        if current and slot.kind is SlotKind.STEP:
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(-1, -1, 1, 1))
        # A landscape thumbnail takes the width of its slot, so its number stands below it.
        left = box.left() if is_wide else box.right() + 6
        room = grid.x(number + 1) - left - 2
        if slot.label and room >= text_width(slot.label, "caption"):
            place = QRect(left, box.bottom() + 4 if is_wide else box.top(), room + 2, _LABEL_HEIGHT)
            tone = "accent" if current else "text-2"
            draw_text(painter, place, slot.label, "name" if current else "caption", tone)

    def _thumb(self, painter: QPainter, box: QRect, slot: FilmSlot) -> None:
        ratio = painter.device().devicePixelRatioF()
        picture = self._thumbnails.pixmap(slot.thumb, box.width(), box.height(), ratio)
        if picture is not None:
            painter.drawPixmap(box.topLeft(), picture)
        else:
            painter.fillRect(box, theme.color("bg-3"))
        painter.setPen(QPen(theme.color("line-2"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(-1, -1, 0, 0))
        if slot.badge and box.width() >= 24:
            corner = QRect(box.right() - 15, box.top() + 2, 14, 14)
            if not slot.badge.startswith("state-"):
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(theme.color("text"))
                painter.drawRoundedRect(corner, 2, 2)
            theme.draw_icon_in(painter, slot.badge, corner, 12, "bg-1")

    @staticmethod
    def _empty(painter: QPainter, box: QRect, kind: SlotKind) -> None:
        live = kind is SlotKind.LIVE
        pen = QPen(theme.color("ok" if live else "line-2"), 1)
        pen.setDashPattern([4, 3])
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(-1, -1, 0, 0))
        if live:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("ok"))
            painter.drawEllipse(QPointF(box.center().x() + 0.5, box.center().y() - 9), 3.5, 3.5)
            painter.restore()
        if live or kind is SlotKind.PAUSED:
            middle = Qt.AlignmentFlag.AlignHCenter
            place = QRect(box.left(), box.center().y(), box.width(), 16)
            if not live:
                theme.draw_icon_in(painter, "pause", place.translated(0, -18), 12, "text-2")
            words = _("live") if live else _("paused")
            draw_text(painter, place, words, "caption", "ok" if live else "text-2", middle)

    @staticmethod
    def mark(
        painter: QPainter, grid: SlotGrid, mark: LaneMark, top: int, end_slot: int, *, current: bool
    ) -> range:
        """Paint a mark with its parts, at most to ``end_slot``; return the x that its words cover.

        The words of a bar lie inside it or beside it; words too long for both take the room of both.
        """
        left = grid.x(mark.slot) + grid.inset
        right = grid.x(end_slot) + grid.inset - 6
        if mark.bar:
            inside = _bar(painter, grid, mark, top) - 4
            width = mark_width(mark)
            if mark.is_plain_bar or width <= inside - left:
                right = inside
            elif width <= right - inside - 8:
                left = inside + 8
        begins = left
        tone = "accent" if current else mark.tone
        ink = "accent" if current else "text" if mark.bar and not mark.is_plain_bar else "text-2"
        # The name has the room first. Of the parts the icons stay visible, their words are cut before it.
        icons = [_PART_GAP + _ICON] * len(mark.parts)
        room = max(_LEAST_NAME, right - left - sum(icons))
        own = MarkPart(mark.icon, mark.text)
        # Ids differ at their ends; sentences are understood by their beginnings.
        is_id = mark.bar and not mark.is_plain_bar
        cut = Qt.TextElideMode.ElideMiddle if is_id else Qt.TextElideMode.ElideRight
        left = _part(painter, left, min(right, left + room), top, own, (tone, ink), cut)
        for number, part in enumerate(mark.parts):
            after = sum(icons[number + 1 :])
            left = _part(painter, left + _PART_GAP, right - after, top, part, ("text-2", ink))
        return range(begins - 3, left + 4)

    @staticmethod
    def cursor(painter: QPainter, x: int, height: int, gaps: Sequence[range] = ()) -> None:
        """Paint the cursor: a line over all lanes but the ``gaps``, with a head of 9 x 7 in the ruler."""
        color = theme.color("accent")
        top = RULER - 7
        for gap in sorted(gaps, key=lambda gap: gap.start):
            painter.fillRect(x, top, 1, max(0, gap.start - top), color)
            top = max(top, gap.stop)
        painter.fillRect(x, top, 1, max(0, height - top), color)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(color)
        middle, top = x + 0.5, RULER - 7
        painter.drawPolygon(
            QPolygonF([QPointF(middle - 4.5, top), QPointF(middle + 4.5, top), QPointF(middle, top + 7)])
        )
        painter.restore()


def _box(grid: SlotGrid, number: int, top: int) -> QRect:
    """Place of a portrait or empty slot's thumbnail, in a lane that begins at ``top``."""
    width = grid.thumb_width
    height = round(width * THUMB_HEIGHT / THUMB_WIDTH)
    return QRect(grid.x(number) + grid.inset, top + 1 + (FILM_LANE - 2 - height) // 2, width, height)


def _wide_box(grid: SlotGrid, number: int, slot: FilmSlot, top: int) -> QRect:
    """Place of a landscape thumbnail: as wide as its slot, with its number below."""
    most_high = FILM_LANE - 8 - _LABEL_HEIGHT
    width = max(6, min(int(grid.width) - 2 * _WIDE_MARGIN, round(most_high * slot.aspect)))
    height = max(4, round(width / slot.aspect))
    left = grid.x(number) + (int(grid.width) - width) // 2
    return QRect(left, top + 1 + (FILM_LANE - 2 - _LABEL_HEIGHT - height) // 2, width, height)


def _part(
    painter: QPainter, left: int, right: int, top: int, part: MarkPart, tones: tuple[str, str],
    cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
) -> int:  # fmt: skip
    """Paint an icon and a text between two x, as far as they fit; return the x behind them."""
    if part.icon and right - left >= 12:
        theme.draw_icon_in(painter, part.icon, QRect(left, top, 12, TEXT_LANE), 12, tones[0])
        left += _ICON
    if part.text and right - left >= 14:
        text = elided(theme.font(), part.text, right - left, cut)
        left += draw_text(painter, QRect(left, top, right - left + 2, TEXT_LANE), text, "body", tones[1])
    return left


def _part_width(part: MarkPart) -> int:
    return _PART_GAP + _ICON + (text_width(part.text) if part.text else 0)


def mark_width(mark: LaneMark) -> int:
    """Width of the icon, the words and the parts of a mark."""
    own = (_ICON if mark.icon else 0) + text_width(mark.text)
    return own + sum(_part_width(part) for part in mark.parts)


def _bar(painter: QPainter, grid: SlotGrid, mark: LaneMark, top: int) -> int:
    """Paint the background of a mark over its slots, with a solid edge at its start; return its end."""
    left, right = grid.x(mark.slot) + grid.inset - 5, grid.x(mark.slot + mark.bar) + grid.inset - 9
    box = QRect(left, top + 3, max(12, right - left), TEXT_LANE - 7)
    if mark.is_plain_bar:
        painter.fillRect(box, theme.color("bg-3"))
        return box.right() + 1
    painter.fillRect(box, theme.color(f"{mark.tone}-weak"))
    painter.fillRect(left, box.top(), 2, box.height(), theme.color(mark.tone))
    return box.right() + 1


def gutter_row(painter: QPainter, rect: QRect, title: str, icon: str) -> None:
    """Paint the title of a lane at the left."""
    theme.draw_icon_in(painter, icon, QRect(rect.left() + 12, rect.top(), 14, rect.height()), 14)
    place = rect.adjusted(32, 0, -4, 0)
    draw_text(painter, place, title, "body", "text-2")
