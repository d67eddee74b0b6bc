"""Pick on the screen: a node by a click, several with Ctrl, a region by dragging with Shift."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QRubberBand

from collector.model.geometry import Point, Rect
from collector.model.tree import Node
from studio.widgets.device_view.view import DeviceView, MirrorMode

_MIN_DRAG = 6
"""Logical pixels a drag must span to be a region."""


class NodePicker(QObject):
    """Watches a device view in Inspect mode.

    ``picked(nodes, at)`` asks what can be done with nodes; with several when Ctrl is let go.
    ``region(rect, at)`` asks it of a part of the screen. ``at`` is a global point, the rectangle in
    device pixels.
    """

    picked = Signal(object, QPoint)
    region = Signal(object, QPoint)
    gathered = Signal(object)
    """The nodes gathered with Ctrl so far."""

    def __init__(self, view: DeviceView) -> None:
        super().__init__(view)
        self._view = view
        self._band = QRubberBand(QRubberBand.Shape.Rectangle, view)
        self._pressed: QPoint | None = None
        self._nodes: list[Node] = []
        self._menu_point = QPoint()
        view.installEventFilter(self)
        view.selection.tree_changed.connect(self.forget)

    @property
    def nodes(self) -> tuple[Node, ...]:
        """Nodes gathered with Ctrl."""
        return tuple(self._nodes)

    def forget(self) -> None:
        """Start gathering anew."""
        if self._nodes:
            self._nodes.clear()
            self._view.selection.set_hits(())
        self.gathered.emit(())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt's name
        if watched is not self._view or self._view.mode is not MirrorMode.INSPECT:
            return False
        if isinstance(event, QMouseEvent):
            return self._mouse(event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._key(event)
        if isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Control and self._nodes:
            self.picked.emit(self.nodes, self._menu_point)  # the last node has been gathered
        return False

    def _mouse(self, event: QMouseEvent) -> bool:
        at = event.position().toPoint()
        left = event.button() == Qt.MouseButton.LeftButton
        if event.type() == QEvent.Type.MouseButtonPress and left:
            return self._press(at, event.modifiers())
        if event.type() == QEvent.Type.MouseMove and self._pressed is not None:
            self._band.setGeometry(QRect(self._pressed, at).normalized())
            return True
        if event.type() == QEvent.Type.MouseButtonRelease and left:
            return self._release(at, event)
        return False

    def _press(self, at: QPoint, modifiers: Qt.KeyboardModifier) -> bool:
        if modifiers & Qt.KeyboardModifier.ShiftModifier:
            self._pressed = at
            self._band.setGeometry(QRect(at, at))
            self._band.show()
            return True
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self._gather(at)
            return True
        self.forget()
        return False  # the view selects the node

    def _gather(self, at: QPoint) -> None:
        node = self._node_at(at)
        if node is None:
            return
        if node in self._nodes:
            self._nodes.remove(node)
        else:
            self._nodes.append(node)
        self._view.selection.select(node)
        self._view.selection.set_hits(self._nodes)
        self.gathered.emit(self.nodes)

    def _release(self, at: QPoint, event: QMouseEvent) -> bool:
        point = event.globalPosition().toPoint()
        if self._pressed is not None:
            box, self._pressed = QRect(self._pressed, at).normalized(), None
            self._band.hide()
            if max(box.width(), box.height()) >= _MIN_DRAG:
                self.region.emit(self._to_device(box), point)
            return True
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._menu_point = point
            return True
        selected = self._view.selection.selected
        if selected is not None and self._node_at(at) is selected:
            self.picked.emit((selected,), point)
        return False

    def _key(self, event: QKeyEvent) -> bool:
        """Enter on the selected node asks for its menu, as a click does."""
        selected = self._view.selection.selected
        if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter) or selected is None:
            return False
        nodes = self.nodes or (selected,)
        box = self.node_rect(nodes[-1])
        self.picked.emit(nodes, self._view.mapToGlobal(box.center()))
        return True

    def node_rect(self, node: Node) -> QRect:
        """Where a node is drawn, in logical pixels of the view."""
        if node.bounds is None:
            return QRect(self._view.rect().center(), self._view.rect().center())
        ratio = self._view.transform.ratio
        box = self._view.transform.to_physical(node.bounds)
        return QRect(
            round(box.left / ratio),
            round(box.top / ratio),
            round(box.width / ratio),
            round(box.height / ratio),
        )

    def _node_at(self, at: QPoint) -> Node | None:
        position = self._view.transform.position_at(at.x(), at.y())
        if position is None:
            return None
        return self._view.selection.at(Point(position.point.x, position.point.y))

    def _to_device(self, box: QRect) -> Rect:
        transform = self._view.transform
        first = transform.clamped_position(box.left(), box.top()).point
        last = transform.clamped_position(box.right(), box.bottom()).point
        return Rect(first.x, first.y, last.x + 1, last.y + 1)
