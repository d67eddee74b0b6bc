"""The four outcomes of pairs as boxes with a figure each: both succeed, only one of them, neither."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_text, text_width

_HEIGHT, _SIDE, _GAP = 56, 10, 6


class PairCountButton(HoverButton):
    """A figure over its caption; checked while its pairs are listed."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._figure, self._caption = "", ""
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme.changed.connect(self.update)

    def show_count(self, count: int, caption: str) -> None:
        """Show how many pairs there are; without one the box cannot be pressed."""
        self._figure, self._caption = str(count), caption
        self.setEnabled(count > 0)
        self.setAccessibleName(f"{count} {caption}")
        self.setToolTip(caption)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(
            max(text_width(self._caption, "caption"), text_width(self._figure, "figure")) + 2 * _SIDE, _HEIGHT
        )

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(64, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        fill = "accent-weak" if self.isChecked() else "bg-3" if self._hovered and self.isEnabled() else ""
        box = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        if fill:
            painter.fillRect(box, theme.color(fill))
        painter.setPen(QPen(theme.color("accent" if self.isChecked() else "line-2"), 1))
        painter.drawRect(box)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRect(box.adjusted(1, 1, -1, -1))
        inside = self.rect().adjusted(_SIDE, 6, -_SIDE, -8)
        tone = "text" if self.isEnabled() else "text-3"
        draw_text(
            painter, QRect(inside.left(), inside.top(), inside.width(), 24), self._figure, "figure", tone
        )
        below = QRect(inside.left(), inside.bottom() - 16, inside.width(), 18)
        draw_text(painter, below, self._caption, "caption", "text-2")


class PairBoxes(QWidget):
    """Emits the number of a box when it is pressed."""

    chosen = Signal(int)

    def __init__(self, count: int = 4, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.boxes = tuple(PairCountButton(self) for _number in range(count))
        self._group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_GAP)
        for number, box in enumerate(self.boxes):
            self._group.addButton(box, number)
            row.addWidget(box, 1)
        self._group.idClicked.connect(self.chosen)

    def show_counts(self, counts: Sequence[tuple[int, str]]) -> None:
        """Show the count and the caption of each box."""
        for box, (count, caption) in zip(self.boxes, counts, strict=True):
            box.show_count(count, caption)

    def set_current(self, number: int) -> None:
        """Check a box; -1 checks none."""
        self._group.setExclusive(False)
        for place, box in enumerate(self.boxes):
            box.setChecked(place == number)
        self._group.setExclusive(True)
