"""Splitters between panels: a line of 1 px, lit while the pointer can drag it, thicker with the keyboard."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCursor, QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from collector.model.i18n import _
from studio.theme import theme

_STEP, _FAR = 16, 100_000
"""How far an arrow key moves a line, and further than any window: Home and End stop at the limits."""


class PanelSplitter(QSplitter):
    """Divides panels by lines; a double click on a line is emitted."""

    line_double_clicked = Signal(int)
    """Index of the part right of or below the line."""

    def __init__(self, orientation: Qt.Orientation, parent: QWidget | None = None) -> None:
        super().__init__(orientation, parent)
        self.setHandleWidth(1)
        self.setChildrenCollapsible(False)

    def createHandle(self) -> QSplitterHandle:  # noqa: N802 - Qt's name
        return SplitterLine(self)


class SplitterLine(QSplitterHandle):
    """The line before a part. Qt's own handle stays lit when the pointer is released elsewhere."""

    def __init__(self, splitter: PanelSplitter) -> None:
        super().__init__(splitter.orientation(), splitter)
        self._panels = splitter
        self._lit = False
        self.setAccessibleName(_("Line between panels: drag it or press arrow keys to resize them"))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        theme.changed.connect(self.update)

    def event(self, event: QEvent) -> bool:
        handled = super().event(event)
        kind = event.type()
        if kind in (QEvent.Type.HoverEnter, QEvent.Type.Enter, QEvent.Type.MouseButtonPress):
            self._light(True)
        elif kind in (QEvent.Type.HoverLeave, QEvent.Type.Leave, QEvent.Type.Hide):
            self._light(False)
        elif kind is QEvent.Type.MouseButtonRelease:
            # The line may have stopped at a limit, away from the pointer.
            self._light(self.rect().contains(self.mapFromGlobal(QCursor.pos())))
        return handled

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._light(False)
        panels = self._panels
        place = next(number for number in range(panels.count()) if panels.handle(number) is self)
        panels.line_double_clicked.emit(place)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        across = self.orientation() is Qt.Orientation.Horizontal
        back, on = (Qt.Key.Key_Left, Qt.Key.Key_Right) if across else (Qt.Key.Key_Up, Qt.Key.Key_Down)
        steps = {back: -_STEP, on: _STEP, Qt.Key.Key_Home: -_FAR, Qt.Key.Key_End: _FAR}
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
            return
        place = self.geometry().topLeft() + self.contentsRect().topLeft()
        self.moveSplitter((place.x() if across else place.y()) + step)
        event.accept()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        self._show_focus()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusOutEvent(event)
        self._show_focus()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802 - Qt's name
        super().resizeEvent(event)
        self._show_focus()

    def _show_focus(self) -> None:
        """Qt masks all of the handle but the line; the focus takes the whole width."""
        if self.hasFocus():
            self.clearMask()
        else:
            self.setMask(self.contentsRect())
        self.update()

    def _light(self, lit: bool) -> None:
        if lit != self._lit:
            self._lit = lit
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        # Qt makes the handle wider than it looks, so that it can be grabbed.
        painter = QPainter(self)
        if self.hasFocus():
            painter.fillRect(self.rect(), theme.color("accent"))
        else:
            painter.fillRect(self.contentsRect(), theme.color("accent-line" if self._lit else "line"))
