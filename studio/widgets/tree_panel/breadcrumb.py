"""The path from the root to the selected node; each part can be clicked."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from collector.model.i18n import _
from collector.model.tree import Node
from studio.theme import theme
from studio.theme.mirroring import keep_left_to_right, painter_of
from studio.widgets.captions.node_text import crumb
from studio.widgets.painting import draw_text, text_width

_GAP = 20
_MORE = "…"


class Breadcrumb(QWidget):
    """Shows as many of the nearest ancestors as fit; ``…`` stands for the others."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        keep_left_to_right(self)
        self._node: Node | None = None
        self._hovered: Node | None = None
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(_("Path of the node"))
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:  # noqa: N802 - Qt's name
        return QSize(200, theme.size("panel_header"))

    def set_node(self, node: Node | None) -> None:
        self._node = node
        self._hovered = None
        self.setAccessibleDescription(" > ".join(crumb(node) for node in self._path()))
        self.update()

    def _path(self) -> list[Node]:
        if self._node is None:
            return []
        return [*reversed(list(self._node.ancestors())), self._node]

    def _laid_out(self) -> tuple[list[tuple[Node, QRect]], bool]:
        """Nodes with their rectangles, and whether some at the start are omitted."""
        way = self._path()
        room = self.width() - 24
        widths = [text_width(crumb(node), "name") for node in way]
        first = 0
        while first < len(way) - 1 and sum(widths[first:]) + _GAP * (len(way) - first - 1) > room:
            first = max(1, first + 1)
            room = self.width() - 24 - text_width(_MORE) - _GAP
        left = 12 + (text_width(_MORE) + _GAP if first else 0)
        places: list[tuple[Node, QRect]] = []
        for node, width in zip(way[first:], widths[first:], strict=True):
            places.append((node, QRect(left, 0, min(width, self.width() - 12 - left), self.height())))
            left += width + _GAP
        return places, first > 0

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802 - Qt's name
        painter = painter_of(self)
        painter.fillRect(0, 0, self.width(), 1, theme.color("line"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, theme.color("line"))
        places, cut = self._laid_out()
        if cut:
            rect = QRect(12, 0, text_width(_MORE), self.height())
            draw_text(painter, rect, _MORE, "body", "text-3")
            self._chevron(painter, rect)
        for number, (node, rect) in enumerate(places):
            last = number == len(places) - 1
            tone = "text" if last or node is self._hovered else "text-2"
            draw_text(painter, rect.adjusted(0, 0, 2, 0), crumb(node), "name" if last else "body", tone)
            if not last:
                self._chevron(painter, rect)

    @staticmethod
    def _chevron(painter: QPainter, after: QRect) -> None:
        theme.draw_icon_in(painter, "chevr", QRect(after.right() + 1, 0, _GAP, after.height()), 12, "text-3")

    def node_at(self, at: QPoint) -> Node | None:
        """The node whose name is at a point."""
        places, _cut = self._laid_out()
        return next((node for node, rect in places if rect.contains(at)), None)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._hovered = self.node_at(event.position().toPoint())
        shape = Qt.CursorShape.PointingHandCursor if self._hovered else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._hovered = None
        self.update()
        super().leaveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        node = self.node_at(event.position().toPoint())
        if node is not None and event.button() == Qt.MouseButton.LeftButton:
            self.chosen.emit(node)
