"""Film strips of trajectories before and after an edit: the steps that stay, go and come."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QSize, Qt, Slot
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QScrollArea, QWidget

from collector.model.i18n import _, ngettext
from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text
from studio.widgets.thumbnail_cache import ThumbnailCache

STAYS, GOES, COMES = "stays", "goes", "comes"
_SLOT, _THUMB, _HEAD, _CAPTION, _GAP, _MARK = 74, QSize(44, 96), 22, 16, 14, 14
_TONES = {GOES: ("err", "x"), COMES: ("ok", "plus")}


@dataclass(frozen=True, slots=True)
class StripStep:
    """A step of a strip: its number as people count, its caption, its thumbnail, and what becomes of it."""

    number: int
    caption: str
    thumb: Hashable | None
    fate: str = STAYS


@dataclass(frozen=True, slots=True)
class EditStrip:
    """A trajectory before or after an edit."""

    title: str
    steps: tuple[StripStep, ...]


class EditStrips(QScrollArea):
    """Shows strips below each other, scrolled together, first to where something changes."""

    def __init__(self, thumbnails: ThumbnailCache, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._canvas = _StripCanvas(thumbnails)
        self.whole_height = 0
        """So high it is without a scroll bar at its side."""
        self.setWidgetResizable(True)
        self.setWidget(self._canvas)
        self.horizontalScrollBar().valueChanged.connect(self._canvas.update)
        self.setAccessibleName(_("Steps before and after"))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        thumbnails.arrived.connect(self._arrived)

    def show_strips(self, strips: Sequence[EditStrip]) -> None:
        """Show other strips."""
        self._canvas.show_strips(strips)
        self.setAccessibleDescription(self._canvas.description)
        self._canvas.setAccessibleName(self._canvas.steps_in_words)
        # A strip is not cut while there is room for two of them.
        self.setMinimumHeight(min(self._canvas.minimumHeight(), 2 * _StripCanvas.strip_height) + 18)
        self.whole_height = self._canvas.minimumHeight() + 18
        first = [at for strip in strips for at, step in enumerate(strip.steps) if step.fate != STAYS]
        bar = self.horizontalScrollBar()
        bar.setValue(max(0, (min(first, default=0) - 2) * _SLOT))

    @Slot(object)
    def _arrived(self, _key: object) -> None:
        self._canvas.update()


class _StripCanvas(QWidget):
    spoken_role = Role.StaticText
    strip_height = _HEAD + _THUMB.height() + _CAPTION + _GAP

    def __init__(self, thumbnails: ThumbnailCache) -> None:
        super().__init__()
        self._thumbnails = thumbnails
        self._strips: tuple[EditStrip, ...] = ()
        theme.changed.connect(self.update)

    def show_strips(self, strips: Sequence[EditStrip]) -> None:
        self._strips = tuple(strips)
        longest = max((len(strip.steps) for strip in strips), default=0)
        self.setMinimumSize(max(1, longest) * _SLOT, len(strips) * self.strip_height)
        self.update()

    @property
    def description(self) -> str:
        """What the strips say, for those who do not see them."""
        return "; ".join(map(_described, self._strips))

    @property
    def steps_in_words(self) -> str:
        """Every step of the strips, each strip on a line, for those who do not see them."""
        return "\n".join(
            f"{strip.title}: {', '.join(map(_step_in_words, strip.steps))}" for strip in self._strips
        )

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.fillRect(event.rect(), theme.color("bg-0"))
        for row, strip in enumerate(self._strips):
            top = row * self.strip_height
            # The title stays where it can be read while the strip is scrolled.
            left = self.visibleRegion().boundingRect().left()
            draw_text(painter, QRect(left + 2, top, self.width(), _HEAD), strip.title, "name")
            for place, step in enumerate(strip.steps):
                self._paint_step(painter, step, place * _SLOT, top + _HEAD)

    def _paint_step(self, painter: QPainter, step: StripStep, left: int, top: int) -> None:
        box = QRect(left + 2, top, _THUMB.width(), _THUMB.height())
        tone, icon = _TONES.get(step.fate, ("", ""))
        painter.setOpacity(0.4 if step.fate == GOES else 1.0)
        self._thumbnails.draw(painter, box, step.thumb)
        painter.setOpacity(1.0)
        style = Qt.PenStyle.DashLine if step.fate == GOES else Qt.PenStyle.SolidLine
        painter.setPen(QPen(theme.color(tone or "line-2"), 2 if tone else 1, style))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(box)
        if step.fate == GOES:
            painter.drawLine(QPointF(box.bottomLeft()), QPointF(box.topRight()))
        room = QRect(box.right() + 4, top, _SLOT - _THUMB.width() - 6, _MARK + 2)
        draw_text(painter, room, str(step.number), "caption", "text-2")
        if icon:
            theme.draw_icon_in(painter, icon, room.translated(0, _MARK + 2), _MARK, tone)
        words = QRect(box.left(), box.bottom() + 2, _SLOT - 6, _CAPTION)
        draw_text(painter, words, step.caption, "caption", "text-3" if step.fate == GOES else "text-2")


def _step_in_words(step: StripStep) -> str:
    words = f"{step.number} {step.caption}"
    if step.fate == GOES:
        return _("{step} goes", step=words)
    return _("{step} comes", step=words) if step.fate == COMES else words


def _described(strip: EditStrip) -> str:
    goes = sum(step.fate == GOES for step in strip.steps)
    comes = sum(step.fate == COMES for step in strip.steps)
    parts = [ngettext("{count} step", "{count} steps", len(strip.steps))]
    if goes:
        parts.append(ngettext("{count} step goes", "{count} steps go", goes))
    if comes:
        parts.append(ngettext("{count} step comes", "{count} steps come", comes))
    return f"{strip.title}: {', '.join(parts)}"
