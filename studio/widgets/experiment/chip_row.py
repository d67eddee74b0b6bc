"""Chips that break into lines: tasks by app, seeds. A chip can be clicked; one more can be added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from studio.theme import theme
from studio.theme.mirroring import painter_of
from studio.widgets.controls.hover_button import HoverButton
from studio.widgets.painting import draw_focus_ring, draw_text, text_width

_HEIGHT, _GAP, _SIDE, _PADDING = 20, 6, 12, 6


@dataclass(frozen=True, slots=True)
class ChipItem:
    """A chip: its key, its words, and what a click does, for the tooltip."""

    key: str
    words: str
    tip: str = ""


class ChipButton(HoverButton):
    """An outlined chip; an icon in place of words for the one that adds."""

    def __init__(self, item: ChipItem, icon: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.item, self._icon = item, icon
        self.setText(item.words)
        self.setToolTip(item.tip)
        self.setAccessibleName(f"{item.words}: {item.tip}" if item.tip and item.words else item.tip)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        inner = text_width(self.item.words, "caption") if self.item.words else 12
        return QSize(inner + 2 * _PADDING, _HEIGHT)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Delete):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("line-2"), 1))
        hovered = self._hovered and self.isEnabled()
        painter.setBrush(theme.color("bg-3") if hovered else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)
        if self.hasFocus():
            draw_focus_ring(painter, self.rect(), radius=3)
        if self._icon:
            tone = "text" if self.isEnabled() else "line-2"
            theme.draw_icon_in(painter, self._icon, self.rect(), 12, tone)
            return
        inner = QRect(_PADDING, 0, self.width() - 2 * _PADDING + 2, self.height())
        draw_text(painter, inner, self.item.words, "caption")


class ChipRow(QWidget):
    """Emits the key of a chip that was clicked, and ``add_wanted``."""

    chosen = Signal(str)
    add_wanted = Signal()

    def __init__(
        self, name: str, add_tip: str = "", parent: QWidget | None = None, *, side: int = _SIDE
    ) -> None:
        """``add_tip`` names the chip that adds one more; empty for none. ``side`` is the margin in pixels."""
        super().__init__(parent)
        self._side = side
        self.setAccessibleName(name)
        self._add_tip = add_tip
        self._items: tuple[ChipItem, ...] | None = None
        self.chips: list[ChipButton] = []
        self.add: ChipButton | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if add_tip:
            self.add = ChipButton(ChipItem("", "", add_tip), "plus", self)
            self.add.clicked.connect(self.add_wanted)

    def show_items(self, items: Sequence[ChipItem]) -> None:
        """Show these chips."""
        if tuple(items) == self._items:
            return
        self._items = tuple(items)
        focused = next((at for at, chip in enumerate(self.chips) if chip.hasFocus()), None)
        for chip in self.chips:
            chip.hide()
            chip.deleteLater()
        self.chips = [ChipButton(item, "", self) for item in items]
        before: QWidget | None = None
        for chip in [*self.chips, *([self.add] if self.add is not None else [])]:
            if chip is not self.add:
                chip.clicked.connect(self._chosen)
                chip.show()
            if before is not None:
                QWidget.setTabOrder(before, chip)
            before = chip
        if focused is not None and self.chips:
            self.chips[min(focused, len(self.chips) - 1)].setFocus()
        self._place()
        self.updateGeometry()

    def _chosen(self) -> None:
        chip = self.sender()
        assert isinstance(chip, ChipButton)
        self.chosen.emit(chip.item.key)

    def _boxes(self, width: int) -> list[QRect]:
        boxes: list[QRect] = []
        side = self._side
        x, y = side, 0
        for chip in [*self.chips, *([self.add] if self.add is not None else [])]:
            size = chip.sizeHint()
            wide = min(size.width(), max(24, width - 2 * side))
            if x > side and x + wide > width - side:
                x, y = side, y + _HEIGHT + _GAP
            boxes.append(QRect(x, y, wide, _HEIGHT))
            x += wide + _GAP
        return boxes

    def _place(self) -> None:
        shown = [*self.chips, *([self.add] if self.add is not None else [])]
        for chip, box in zip(shown, self._boxes(self.width()), strict=True):
            chip.setGeometry(box)

    def heightForWidth(self, width: int) -> int:  # noqa: N802 - Qt's name
        boxes = self._boxes(width)
        return boxes[-1].bottom() + 1 if boxes else 0

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(48, self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._place()
        if event.oldSize().width() != self.width():
            self.updateGeometry()
