"""Paint the slots of a film strip: thumbnails, gaps and the live slot."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, Qt
from PySide6.QtGui import QPainter, QPen

from collector.model.i18n import _
from studio.theme import theme
from studio.widgets.captions.interruption_text import ICON as ANOMALY_ICON
from studio.widgets.painting import draw_text, text_width
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.grid import TimelineGrid
from studio.widgets.timeline.lanes import FilmSlot, SlotKind
from studio.widgets.timeline.sizes import TimelineSizes

_LABEL_HEIGHT = 16
_WIDE_MARGIN = 4
"""Space at each side of a landscape thumbnail in its slot."""
_BADGE = 14
_LEAST_BADGED = 24
"""Narrower thumbnails have their badge beside them."""


class FilmStripPainter:
    """Paints slots; requests their thumbnails when they become visible."""

    def __init__(self, thumbnails: ThumbnailCache, sizes: TimelineSizes) -> None:
        self._thumbnails, self._sizes = thumbnails, sizes

    def film(
        self, painter: QPainter, grid: TimelineGrid, number: int, slot: FilmSlot, top: int, *, current: bool
    ) -> QRect | None:
        """Paint one slot of the film strip, in a lane that begins at ``top``.

        Returns the place of the thumbnail while it is not loaded.
        """
        is_wide = slot.aspect > 1
        box = self._wide_box(grid, number, slot, top) if is_wide else self._box(grid, number, top)
        is_loaded = True
        if slot.kind is SlotKind.STEP:
            is_loaded = self._thumb(painter, box, slot)
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
        self._badge(painter, box, slot, grid.x(number + 1))
        return None if is_loaded else box.adjusted(-3, -3, 3, 3)

    def _thumb(self, painter: QPainter, box: QRect, slot: FilmSlot) -> bool:
        is_loaded = self._thumbnails.draw(painter, box, slot.thumb)
        painter.setPen(QPen(theme.color("line-2"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box.adjusted(-1, -1, 0, 0))
        return is_loaded

    @staticmethod
    def _badge(painter: QPainter, box: QRect, slot: FilmSlot, end: int) -> None:
        """Paint the worst mark in the corner of the thumbnail, or beside one that is small."""
        if not slot.badge:
            return
        if box.width() >= _LEAST_BADGED:
            corner = QRect(box.right() - 15, box.top() + 2, _BADGE, _BADGE)
        elif end - box.right() >= _BADGE + 4:
            corner = QRect(box.right() + 4, box.bottom() - _BADGE + 1, _BADGE, _BADGE)
        else:
            return
        if box.width() < _LEAST_BADGED or slot.badge.startswith("state-"):
            tone = "warn" if slot.badge == ANOMALY_ICON else "text-2"
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("text"))
            painter.drawRoundedRect(corner, 2, 2)
            tone = "bg-1"
        theme.draw_icon_in(painter, slot.badge, corner, 12, tone)

    def _empty(self, painter: QPainter, box: QRect, kind: SlotKind) -> None:
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
            place = QRect(box.left(), box.center().y(), box.width(), _LABEL_HEIGHT)
            if not live:
                theme.draw_icon_in(painter, "pause", place.translated(0, -18), 12, "text-2")
            words = _("live") if live else _("paused")
            if text_width(words, "caption") > box.width():  # beside a narrow one
                place, middle = (
                    QRect(box.right() + 4, box.top(), 80, _LABEL_HEIGHT),
                    Qt.AlignmentFlag.AlignLeft,
                )
            draw_text(painter, place, words, "caption", "ok" if live else "text-2", middle)

    def _box(self, grid: TimelineGrid, number: int, top: int) -> QRect:
        """Place of a portrait or empty slot's thumbnail, in a lane that begins at ``top``."""
        width = grid.thumb_width
        height = round(width * self._sizes.thumb_height / self._sizes.thumb_width)
        left = grid.x(number) + grid.inset
        return QRect(left, top + 1 + (self._sizes.film - 2 - height) // 2, width, height)

    def _wide_box(self, grid: TimelineGrid, number: int, slot: FilmSlot, top: int) -> QRect:
        """Place of a landscape thumbnail: as wide as its slot, with its number below."""
        most_high = self._sizes.film - 8 - _LABEL_HEIGHT
        room = max(grid.thumb_width, grid.x(number + 1) - grid.x(number) - 2 * _WIDE_MARGIN)
        width = max(6, min(room, round(most_high * slot.aspect)))
        height = max(4, round(width / slot.aspect))
        left = grid.x(number) + _WIDE_MARGIN + (room - width) // 2
        return QRect(left, top + 1 + (self._sizes.film - 2 - _LABEL_HEIGHT - height) // 2, width, height)
