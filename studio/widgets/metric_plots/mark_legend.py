"""The legend of a plot: each mark with its name, in as many lines as they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.metric_plots.mark_shapes import MarkLook, draw_mark
from studio.widgets.painted_items import Role
from studio.widgets.painting import draw_text, text_width

_LINE, _GAP, _MARK_ROOM = 20, 14, 16


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """A mark and its name."""

    look: MarkLook
    title: str


def legend_boxes(entries: Sequence[LegendEntry], width: int) -> list[QRect]:
    """The place of each entry, in lines no wider than ``width``."""
    boxes: list[QRect] = []
    left = top = 0
    for entry in entries:
        wide = min(max(1, width), _MARK_ROOM + text_width(entry.title, "name"))
        if left and left + wide > width:
            left, top = 0, top + _LINE
        boxes.append(QRect(left, top, wide, _LINE))
        left += wide + _GAP
    return boxes


def legend_width(entries: Sequence[LegendEntry]) -> int:
    """The width of a legend in one line."""
    return sum(_MARK_ROOM + text_width(entry.title, "name") + _GAP for entry in entries) - _GAP


def paint_legend(painter: QPainter, left: int, top: int, width: int, entries: Sequence[LegendEntry]) -> int:
    """Draw a legend and return its height."""
    boxes = legend_boxes(entries, width)
    for entry, box in zip(entries, boxes, strict=True):
        place = box.translated(left, top)
        draw_mark(painter, QPointF(place.left() + 5, place.center().y() + 1), entry.look)
        words = place.adjusted(_MARK_ROOM, 0, 1, 0)
        draw_text(painter, words, entry.title, "name", "text-2")
    return boxes[-1].bottom() + 1 if boxes else 0


class MarkLegend(QWidget):
    """Shows a legend; ``is_wrapped`` breaks it into lines, else it is one line and says how wide."""

    spoken_role = Role.StaticText

    def __init__(self, *, is_wrapped: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._entries: tuple[LegendEntry, ...] = ()
        policy = QSizePolicy(
            QSizePolicy.Policy.Ignored if is_wrapped else QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed
        )
        policy.setHeightForWidth(is_wrapped)
        self.setSizePolicy(policy)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        theme.changed.connect(self.update)

    @property
    def entries(self) -> tuple[LegendEntry, ...]:
        return self._entries

    def show_entries(self, entries: Sequence[LegendEntry]) -> None:
        """Show other marks."""
        self._entries = tuple(entries)
        self.setAccessibleName(", ".join(entry.title for entry in entries))
        self.updateGeometry()
        self.update()

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        boxes = legend_boxes(self._entries, width)
        return boxes[-1].bottom() + 1 if boxes else 0

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(max(0, legend_width(self._entries)), _LINE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        paint_legend(painter_of(self), 0, 0, self.width(), self._entries)
