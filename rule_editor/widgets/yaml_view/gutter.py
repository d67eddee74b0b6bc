"""The gutter of the YAML editor: line numbers, and the icon of the tick or worst diagnostic."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QHelpEvent, QPainter, QPaintEvent, QTextDocument
from PySide6.QtWidgets import QToolTip, QWidget

from rule_editor.widgets.toolkit import Toolkit
from rule_editor.widgets.yaml_view.line_annotations import LineAnnotations

_ICON, _SIDE = 12, 6


class GutterSource(Protocol):
    """The editor whose lines the gutter shows; lines count from 1."""

    annotations: LineAnnotations

    @property
    def current_line(self) -> int: ...
    def document(self) -> QTextDocument: ...
    def visible_lines(self) -> list[tuple[int, QRect]]: ...
    def line_at(self, y: int) -> int: ...
    def line_tooltip(self, line: int) -> str: ...


class Gutter(QWidget):
    """Paints beside the lines of ``editor``, as a child of ``parent``."""

    def __init__(self, toolkit: Toolkit, editor: GutterSource, parent: QWidget) -> None:
        super().__init__(parent)
        self._toolkit = toolkit
        self._editor = editor

    def wanted_width(self) -> int:
        """Width in pixels for the icon and the largest number."""
        digits = max(3, len(str(self._editor.document().blockCount())))
        return _SIDE * 3 + _ICON + QFontMetrics(self._toolkit.font("code")).horizontalAdvance("9" * digits)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(self.wanted_width(), 0)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter, toolkit = QPainter(self), self._toolkit
        painter.setLayoutDirection(self.layoutDirection())
        painter.fillRect(self.rect(), toolkit.color("bg-1"))
        painter.setFont(toolkit.font("code"))
        current = self._editor.current_line
        for line, box in self._editor.visible_lines():
            painter.setPen(toolkit.color("text-2" if line == current else "text-3"))
            number = QRect(0, box.top(), self.width() - _SIDE, box.height())
            painter.drawText(number, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, str(line))
            if icon := self._editor.annotations.icon(line):
                mark = QRect(_SIDE, box.top(), _ICON, box.height())
                toolkit.draw_icon_in(painter, icon, mark, _ICON)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            line = self._editor.line_at(event.pos().y())
            QToolTip.showText(event.globalPos(), self._editor.line_tooltip(line), self)
            return True
        return super().event(event)
