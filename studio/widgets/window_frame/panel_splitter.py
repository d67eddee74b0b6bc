"""Splitters between panels: a line of 1 px that is lit only while the pointer can drag it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QCursor, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSplitter, QSplitterHandle, QWidget

from collector.model.i18n import _
from studio.theme import theme


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
        self.setAccessibleName(_("Line between panels: drag it to resize them"))
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

    def _light(self, lit: bool) -> None:
        if lit != self._lit:
            self._lit = lit
            self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        # Qt makes the handle wider than it looks, so that it can be grabbed.
        painter = QPainter(self)
        painter.fillRect(self.contentsRect(), theme.color("accent-line" if self._lit else "line"))
