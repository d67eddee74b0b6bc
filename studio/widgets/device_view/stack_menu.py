"""A menu of the nodes stacked under the pointer; the current item is highlighted on the screen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget

from collector.model.i18n import _, ngettext
from collector.model.tree import Node
from studio.theme import theme
from studio.theme.mirroring import painter_of, upright
from studio.widgets.captions.node_text import stack_line
from studio.widgets.painting import draw_key, draw_node_line, draw_surface, key_width, node_line_width

MOST = 9
_SHADOW = 8
_PADDING = 4
_HEADER = 32
_ROW = 32
_FOOTER = 36
_MIN_WIDTH = 320
_MAX_WIDTH = 460
_AWAY = 8


class StackMenu(QWidget):
    """Topmost node first. A click or a number selects, a double click opens the node in the tree."""

    hovered = Signal(object)
    chosen = Signal(object)
    opened = Signal(object)
    closed = Signal()

    def __init__(self, nodes: Sequence[Node], parent: QWidget) -> None:
        super().__init__(parent)
        self._nodes = list(nodes[:MOST])
        self._count = len(nodes)
        self._window = parent
        self._current = 0
        self._closing = QTimer(self)
        self._closing.setSingleShot(True)
        self._closing.timeout.connect(self.dismiss)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(self._title())
        self.resize(self.sizeHint())

    @property
    def nodes(self) -> list[Node]:
        return list(self._nodes)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        widest = max((node_line_width(stack_line(node)) for node in self._nodes), default=0)
        width = min(_MAX_WIDTH, max(_MIN_WIDTH, widest + 64))
        height = 2 * _PADDING + _HEADER + _ROW * len(self._nodes) + _FOOTER
        return QSize(width + 2 * _SHADOW, height + 2 * _SHADOW)

    def open_beside(self, view: QWidget, at: QPoint, node: QRect) -> None:
        """Show the menu below and right of a point of ``view``, never over the rectangle ``node``."""
        window = self._window
        place = menu_place(
            view.mapTo(window, at),
            QRect(view.mapTo(window, node.topLeft()), node.size()),
            self.size() - QSize(2 * _SHADOW, 2 * _SHADOW),
            window.rect(),
        )
        self.move(place - QPoint(_SHADOW, _SHADOW))
        _application().installEventFilter(self)
        self.show()
        self.raise_()
        self.setFocus(Qt.FocusReason.PopupFocusReason)
        self._go(0)

    def dismiss(self) -> None:
        """Close the menu, once."""
        if self.isHidden():
            return
        _application().removeEventFilter(self)
        self.hide()
        self.closed.emit()
        self.deleteLater()

    # -- events ------------------------------------------------------------
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if event.type() == QEvent.Type.MouseButtonPress and isinstance(event, QMouseEvent):
            inside = self.rect().contains(self.mapFromGlobal(event.globalPosition().toPoint()))
            if not inside:
                self.dismiss()
        return super().eventFilter(watched, event)

    def focusNextPrevChild(self, _forward: bool) -> bool:  # noqa: N802 - Qt's name
        """Keep the keyboard focus in the menu until it closes."""
        return False

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        key = event.key()
        if key == Qt.Key.Key_Escape:
            self.dismiss()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up):
            self._go((self._current + (1 if key == Qt.Key.Key_Down else -1)) % len(self._nodes))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._choose(self._current)
        elif Qt.Key.Key_1 <= key < Qt.Key.Key_1 + len(self._nodes):
            self._choose(key - Qt.Key.Key_1)
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._row_at(event.position().toPoint())
        if row is not None:
            self._go(row)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._row_at(event.position().toPoint())
        if row is not None:
            self.chosen.emit(self._nodes[row])
            # The second click of a double click must still reach the menu.
            self._closing.start(QApplication.doubleClickInterval())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        row = self._row_at(event.position().toPoint())
        if row is not None:
            node = self._nodes[row]
            self.dismiss()
            self.chosen.emit(node)
            self.opened.emit(node)

    def _go(self, row: int) -> None:
        self._current = row
        self.hovered.emit(self._nodes[row])
        self.update()

    def _choose(self, row: int) -> None:
        self.chosen.emit(self._nodes[row])
        self.dismiss()

    # -- painting ----------------------------------------------------------
    def row_rect(self, row: int) -> QRect:
        """Where a row is, in the menu."""
        inner = self.rect().adjusted(_SHADOW, _SHADOW, -_SHADOW, -_SHADOW)
        top = inner.top() + _PADDING + _HEADER + row * _ROW
        return QRect(inner.left() + _PADDING, top, inner.width() - 2 * _PADDING, _ROW)

    def _row_at(self, at: QPoint) -> int | None:
        rows = (row for row in range(len(self._nodes)) if self.row_rect(row).contains(at))
        return next(rows, None)

    def _title(self) -> str:
        return ngettext("{count} node under the pointer", "{count} nodes under the pointer", self._count)

    def _hint(self) -> str:
        left = self._count - len(self._nodes)
        if not left:
            return _("Double-click to open in the tree")
        return ngettext(
            "{count} more below: Alt+wheel reaches it", "{count} more below: Alt+wheel reaches them", left
        )

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        inner = self.rect().adjusted(_SHADOW, _SHADOW, -_SHADOW, -_SHADOW)
        draw_surface(painter, inner, shadow=_SHADOW)
        head = QRect(inner.left() + 12, inner.top() + _PADDING, inner.width() - 24, _HEADER)
        self._caption(painter, head, self._title(), _("Alt+wheel"))
        for row in range(len(self._nodes)):
            self._paint_row(painter, row)
        foot = QRect(inner.left() + 12, inner.bottom() - _FOOTER + 1, inner.width() - 24, _FOOTER)
        painter.fillRect(inner.left() + 1, foot.top(), inner.width() - 2, 1, theme.color("line"))
        self._caption(painter, foot, self._hint(), "Esc")

    @staticmethod
    def _caption(painter: QPainter, rect: QRect, text: str, key: str) -> None:
        width = key_width(key)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text-3"))
        room = rect.width() - width - 8
        shown = QFontMetrics(painter.font()).elidedText(text, Qt.TextElideMode.ElideRight, room)
        with upright(painter, rect):
            painter.drawText(rect, Qt.AlignmentFlag.AlignVCenter, shown)
        draw_key(painter, QRect(rect.right() - width + 1, rect.top(), width, rect.height()), key)

    def _paint_row(self, painter: QPainter, row: int) -> None:
        rect = self.row_rect(row)
        if row == self._current:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent-weak"))
            painter.drawRoundedRect(rect, 4, 4)
        number = QRect(rect.left() + 8, rect.top() + 7, 18, 18)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("bg-3"))
        painter.drawRoundedRect(number, 3, 3)
        painter.setFont(theme.font("caption"))
        painter.setPen(theme.color("text-2"))
        with upright(painter, number):
            painter.drawText(number, Qt.AlignmentFlag.AlignCenter, str(row + 1))
        draw_node_line(painter, rect.adjusted(34, 0, -8, 0), stack_line(self._nodes[row]))


def _application() -> QCoreApplication:
    application = QApplication.instance()
    assert application is not None, "a widget lives in an application"
    return application


def menu_place(at: QPoint, node: QRect, size: QSize, area: QRect) -> QPoint:
    """Return the top left corner of the menu: right of and below the pointer, beside ``node`` if possible."""
    left = min(at.x() + _AWAY, area.right() - size.width() + 1)
    below = max(at.y() + 2 * _AWAY, node.bottom() + _AWAY)
    above = node.top() - _AWAY - size.height()
    if below + size.height() <= area.bottom() + 1:
        top = below
    elif above >= area.top():
        top = above
    else:
        top = min(at.y() + 2 * _AWAY, area.bottom() - size.height() + 1)
    return QPoint(max(area.left(), left), max(area.top(), top))
