"""Lay out the phone in the middle and cards close around it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from studio.widgets.device_view.canvas import ScreenCanvas

_FROM_TOP = 16
_LEFT_GAP = 28
_RIGHT_GAP = 20
_BETWEEN = 16
_EDGE = 12
_CORNER_X, _CORNER_Y = 24, 16
_PILL_ROOM, _PILL_GAP, _PILL_EDGE = 18, 7, 4
"""Height that the line under the phone takes beside the view's margin, also while it is hidden."""


class DeviceCardLayout(QWidget):
    """Place cards beside the phone, and hide those without room: the outermost at the right first.

    The phone stays centred and keeps its size whatever is shown beside and under it. A wide screen leaves
    room for the first card at the right; where the left card does not fit, its line above the phone stands
    for it.
    """

    def __init__(self, view: ScreenCanvas, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = view
        view.setParent(self)
        self._left: QWidget | None = None
        self._line: QWidget | None = None
        self._right: list[QWidget] = []
        self._corner: list[QWidget] = []
        self._pill: QWidget | None = None
        self._enabled: dict[QWidget, bool] = {}
        view.zoom_changed.connect(self._arrange)

    def set_left(self, card: QWidget) -> None:
        """Set the card left of the phone."""
        self._left = card
        self._adopt(card)

    def set_line(self, line: QWidget) -> None:
        """Set the line that is shown above this widget where the left card does not fit."""
        self._line = line
        self._arrange()

    def add_right(self, card: QWidget) -> None:
        """Add a card right of the phone and of the cards added before."""
        self._right.append(card)
        self._adopt(card)

    def add_corner(self, card: QWidget) -> None:
        """Add a card in the bottom left corner, above those added before."""
        self._corner.append(card)
        self._adopt(card)

    def set_pill(self, pill: QWidget) -> None:
        """Set the line under the phone."""
        self._pill = pill
        self._adopt(pill)

    def set_card_enabled(self, card: QWidget, enabled: bool) -> None:
        """Set whether a card is shown when there is room for it."""
        self._enabled[card] = enabled
        self._arrange()

    def _adopt(self, card: QWidget) -> None:
        card.setParent(self)
        self._enabled[card] = True
        if card.sizeHint().isValid():
            card.resize(card.sizeHint())
        card.installEventFilter(self)
        self._arrange()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.Resize and watched is not self.view:
            self._arrange()
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._arrange()

    @Slot()
    def _arrange(self) -> None:
        pill = self._pill
        below = _PILL_ROOM if pill is not None else 0  # the phone keeps its size when the line comes and goes
        aside = self._room_aside(below)
        self.view.setGeometry(aside, 0, self.width() - 2 * aside, self.height() - below)
        phone = self.view.picture_rect().translated(aside, 0)
        top = max(_FROM_TOP, phone.top() - 4)
        card_fits = self._left_fits(aside, below)
        if self._line is not None:
            self._line.setVisible(not card_fits)
        if self._left is not None:
            left = phone.left() - _LEFT_GAP - self._left.width()
            self._put(self._left, QPoint(left, top), shown=card_fits or self._line is None)
        right = phone.right() + _RIGHT_GAP
        for card in self._right:
            self._put(card, QPoint(right, top))
            right += (card.width() + _BETWEEN) if self._enabled[card] else 0
        bottom = self.height() - _CORNER_Y
        for card in self._corner:
            self._put(card, QPoint(_CORNER_X, bottom - card.height()))
            bottom -= (card.height() + _BETWEEN) if self._enabled[card] else 0
        if pill is not None:
            under = min(phone.bottom() + _PILL_GAP, self.height() - pill.height() - _PILL_EDGE)
            self._put(pill, QPoint(phone.center().x() - pill.width() // 2, under))

    def _room_aside(self, below: int) -> int:
        """Width that a fitted, wide screen leaves at each side for the first card at the right."""
        first = next((card for card in self._right if self._enabled[card]), None)
        if first is None or not self.view.is_fitted:
            return 0
        needed = _RIGHT_GAP + first.width() + _EDGE
        return 0 if self._beside(self.height() - below, 0) >= needed else max(0, needed - ScreenCanvas.margin)

    def _beside(self, height: int, aside: int) -> float:
        """Width left at each side of the whole screen in a view of ``height``."""
        screen = self.view.screen_size
        scale = min(
            (height - 2 * ScreenCanvas.margin) / screen.height,
            (self.width() - 2 * (aside + ScreenCanvas.margin)) / screen.width,
        )
        return (self.width() - screen.width * scale) / 2

    def _left_fits(self, aside: int, below: int) -> bool:
        """Return whether the left card has room beside the whole screen, without its line above."""
        card = self._left
        if card is None:
            return True
        line = self._line.height() if self._line is not None and self._line.isVisible() else 0
        height = self.height() + line
        beside = self._beside(height - below, aside) - _LEFT_GAP - card.width()
        return beside >= _EDGE and _FROM_TOP + card.height() <= height

    def _put(self, card: QWidget, at: QPoint, *, shown: bool = True) -> None:
        fits = at.x() >= _EDGE and at.x() + card.width() <= self.width() - _EDGE
        card.move(at)
        card.setVisible(self._enabled[card] and fits and shown)
        if card.isVisibleTo(self):
            card.raise_()
