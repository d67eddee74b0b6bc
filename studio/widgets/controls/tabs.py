"""A tab bar of 32 px: title, count, and an accent line under the current tab."""

from __future__ import annotations

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import logical_point, painter_of, upright, visual_rect
from studio.widgets.painted_items import PaintedItems, Role
from studio.widgets.painting import text_width

_AROUND, _LEAST_AROUND = 24, 8
"""Logical pixels around a title and its count."""


class Tabs(PaintedItems, QWidget):
    """Emits ``changed(index)`` for a new current tab. Left and Right move between tabs."""

    changed = Signal(int)
    pressed = Signal(int)
    """A tab was clicked, the current one included."""

    spoken_roles = (Role.PageTabList, Role.PageTab)

    def __init__(self, titles: list[str], parent: QWidget | None = None, *, counted: int = 0) -> None:
        """So many tabs may be ``counted``: the least width has room for their numbers from the start."""
        super().__init__(parent)
        self._titles, self._counted = titles, counted
        self._counts: list[int | None] = [None] * len(titles)
        self._current = 0
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(", ".join(titles))
        theme.changed.connect(self.update)

    @property
    def current(self) -> int:
        return self._current

    def set_current(self, index: int) -> None:
        """Make a tab current; emit ``changed`` when it was not."""
        index = max(0, min(len(self._titles) - 1, index))
        if index != self._current:
            self._current = index
            self.update()
            self.changed.emit(index)

    def set_count(self, index: int, count: int | None) -> None:
        """Set the number beside a title; None for no number."""
        self._counts[index] = count
        self.updateGeometry()
        self.update()

    def spoken_items(self) -> list[str]:
        counted = zip(self._titles, self._counts, strict=True)
        return [title if count is None else f"{title} {count}" for title, count in counted]

    def item_place(self, number: int) -> QRect:
        return visual_rect(self, self.tab_rects()[number])

    def current_item(self) -> int:
        return self._current

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return self._size(_AROUND)

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        missing = max(0, self._counted - sum(count is not None for count in self._counts))
        return self._size(_LEAST_AROUND) + QSize(missing * _width_of_count(9), 0)

    def _size(self, around: int) -> QSize:
        widths = self._widths()
        return QSize(sum(widths) + around * len(widths) + 6 if widths else 0, theme.size("tab"))

    def _widths(self) -> list[int]:
        """Of each tab the width of its title and count."""
        counts = [_width_of_count(count) if count is not None else 0 for count in self._counts]
        return [
            text_width(title, "heading") + count for title, count in zip(self._titles, counts, strict=True)
        ]

    @property
    def _around(self) -> int:
        """The space around a title; there is less where the tabs do not fit."""
        widths = self._widths()
        room = self.width() - sum(widths) - 6
        return max(_LEAST_AROUND, min(_AROUND, room // max(1, len(widths))))

    def tab_rects(self) -> list[QRect]:
        """Where each tab is, the first one first."""
        boxes, x, around = [], 2, self._around
        for width in self._widths():
            boxes.append(QRect(x, 0, width + around, theme.size("tab")))
            x += width + around
        return boxes

    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        for index, box in enumerate(self.tab_rects()):
            if box.contains(logical_point(self, event.position().toPoint())):
                self.set_current(index)
                self.pressed.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        if step:
            self.set_current(self._current + step)
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for index, box in enumerate(self.tab_rects()):
            on = index == self._current
            self._paint_tab(painter, box, index, on=on)
            if on and self.hasFocus():
                painter.setPen(QPen(theme.color("accent"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(QRectF(box).adjusted(2, 3, -2, -5), 4, 4)

    def _paint_tab(self, painter: QPainter, box: QRect, index: int, *, on: bool) -> None:
        title, count = self._titles[index], self._counts[index]
        painter.setFont(theme.font("heading" if on else "body"))
        painter.setPen(theme.color("text" if on else "text-2"))
        text = QRect(box.left() + self._around // 2, 0, box.width() - self._around // 2, box.height())
        with upright(painter, text):
            painter.drawText(text, Qt.AlignmentFlag.AlignVCenter, title)
        if count is not None:
            left = text.left() + text_width(title, "heading") + 6
            pill = QRectF(left, box.height() / 2 - 9, text_width(str(count), "caption") + 10, 18)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("bg-3"))
            painter.drawRoundedRect(pill, 3, 3)
            painter.setFont(theme.font("caption"))
            painter.setPen(theme.color("text-2"))
            with upright(painter, pill):
                painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, str(count))
        if on:
            painter.fillRect(QRect(box.left(), box.height() - 2, box.width(), 2), theme.color("accent"))


def _width_of_count(count: int) -> int:
    return text_width(str(count), "caption") + 16
