"""A cursor on the phone's screen: arrow keys move it, Enter touches where it is."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPen

from collector.model.geometry import Point, Position, Size
from collector.model.i18n import _
from collector.model.tree import Node, Tree
from studio.theme import theme
from studio.widgets.device_view.timed_touch import TimedTouch
from studio.widgets.device_view.touch_targets import (
    Direction,
    TouchTarget,
    next_target,
    swipe_between,
    touch_targets,
)
from studio.widgets.device_view.transform import ViewTransform
from studio.widgets.node_selection import NodeSelection

CURSOR_KEYS = "Left Right Up Down Enter"
"""The keys that the screen takes for the cursor, as commands spell them."""
_DIRECTIONS = {
    Qt.Key.Key_Left: Direction.LEFT,
    Qt.Key.Key_Right: Direction.RIGHT,
    Qt.Key.Key_Up: Direction.UP,
    Qt.Key.Key_Down: Direction.DOWN,
}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_NO_MODIFIER = Qt.KeyboardModifier.NoModifier
_FINE_SHARE = 1 / 50
"""How far Ctrl with an arrow moves the cursor, as a share of the screen's shorter side."""
_ARM, _GAP = 13.0, 4.0


class TouchCursor(QObject):
    """Where the keyboard touches the screen, and what it does there.

    An arrow goes to the next node that can be touched, Ctrl+arrow a little way. Enter taps, Shift+Enter
    presses long, Shift+arrow swipes, Esc hides the cursor. The node under the cursor is the selected one.
    """

    pointer = Signal(object)
    """A :class:`PointerEvent`."""
    moved = Signal()
    """The cursor is elsewhere, shown or hidden."""

    def __init__(self, selection: NodeSelection, screen: Callable[[], Size], parent: QObject) -> None:
        """``screen`` returns the size of the phone's screen in device pixels."""
        super().__init__(parent)
        self._selection, self._screen = selection, screen
        self._position: Position | None = None
        self._targets: tuple[Tree | None, Size, tuple[TouchTarget, ...]] = (None, Size(0, 0), ())
        self.finger = TimedTouch(self)
        self.finger.pointer.connect(self.pointer)

    @property
    def point(self) -> Point | None:
        """Where the cursor is, in device pixels; None while it is hidden."""
        return self._position.on(self._screen()) if self._position is not None else None

    @property
    def targets(self) -> tuple[TouchTarget, ...]:
        """What can be touched on the screen now."""
        tree, screen = self._selection.tree, self._screen()
        if (tree, screen) != self._targets[:2]:
            self._targets = (tree, screen, touch_targets(tree, screen))
        return self._targets[2]

    def words(self) -> str:
        """What the cursor is on, for those who cannot see it; empty while it is hidden."""
        point = self.point
        if point is None:
            return ""
        under = [each for each in self.targets if not each.only_scrolls and each.bounds.contains(point)]
        if not under:
            return _("Cursor at {x}, {y}", x=point.x, y=point.y)
        target = min(under, key=lambda each: each.bounds.area)
        return _("Cursor on {number} · {name}", number=target.number, name=target.label)

    def hide(self) -> None:
        """Take the cursor away."""
        self._move_to(None)

    # -- keys ----------------------------------------------------------------
    def takes(self, event: QKeyEvent) -> bool:
        """Whether a key is the cursor's and no command's."""
        if event.key() == Qt.Key.Key_Escape:
            return self._position is not None and _modifiers(event) == _NO_MODIFIER
        allowed = [_NO_MODIFIER, Qt.KeyboardModifier.ShiftModifier]
        if event.key() in _DIRECTIONS:
            allowed.append(Qt.KeyboardModifier.ControlModifier)
        return (event.key() in _DIRECTIONS or event.key() in _ENTER) and _modifiers(event) in allowed

    def press(self, event: QKeyEvent) -> bool:
        """Do what a key means; False when it means nothing here."""
        if not self.takes(event):
            return False
        modifiers = _modifiers(event)
        direction = _DIRECTIONS.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape:
            self.hide()
        elif direction is None:
            self._enter(event, is_long=modifiers == Qt.KeyboardModifier.ShiftModifier)
        elif modifiers == Qt.KeyboardModifier.ShiftModifier:
            if not event.isAutoRepeat():
                self.swipe(direction)
        elif modifiers == Qt.KeyboardModifier.ControlModifier:
            self._nudge(direction)
        else:
            self._step(direction)
        return True

    def _enter(self, event: QKeyEvent, *, is_long: bool) -> None:
        """Touch where the cursor is; without one show it, and touch nothing."""
        point = self.point
        if event.isAutoRepeat():
            return
        if point is None:
            self._appear()
        elif is_long:
            self.finger.long_press(Position(point, self._screen()))
        else:
            self.finger.tap(Position(point, self._screen()))

    def _step(self, direction: Direction) -> None:
        here = self.point
        if here is None:
            self._appear()
            return
        target = next_target(self.targets, here, direction)
        if target is not None:
            self._go_to(target)

    def _nudge(self, direction: Direction) -> None:
        here, screen = self.point, self._screen()
        if here is None:
            self._appear()
            return
        length = max(1, round(min(screen.width, screen.height) * _FINE_SHARE))
        across, down = direction.value
        x = min(max(here.x + across * length, 0), screen.width - 1)
        y = min(max(here.y + down * length, 0), screen.height - 1)
        self._selection.select(self._selection.at(Point(x, y)))
        self._move_to(Point(x, y))

    def _appear(self) -> None:
        """Show the cursor on the selected node, or else on the first that can be touched."""
        screen, selected = self._screen(), self._selection.selected
        first = next((each for each in self.targets if not each.only_scrolls), None)
        if selected is not None and selected.bounds is not None and not selected.bounds.is_empty:
            self._move_to(selected.bounds.center)
        elif first is not None:
            self._go_to(first)
        else:
            self._move_to(Point(screen.width // 2, screen.height // 2))

    def _go_to(self, target: TouchTarget) -> None:
        self._selection.select(target.node)
        self._move_to(target.bounds.center)

    def _move_to(self, point: Point | None) -> None:
        self._position = Position(point, self._screen()) if point is not None else None
        self.moved.emit()

    # -- touches, of the palette and the tree, too -----------------------------
    def tap(self, node: Node) -> None:
        """Tap the middle of a node; nothing happens to one that has no place."""
        if node.bounds is not None:
            self.finger.tap(Position(node.bounds.center, self._screen()))

    def long_press(self, node: Node) -> None:
        """Press long on the middle of a node."""
        if node.bounds is not None:
            self.finger.long_press(Position(node.bounds.center, self._screen()))

    def swipe(self, direction: Direction, node: Node | None = None) -> None:
        """Swipe from a node, or else from the cursor; without one from the middle of the screen."""
        screen = self._screen()
        at = node.bounds.center if node is not None and node.bounds is not None else self.point
        self.finger.swipe(
            *swipe_between(at or Point(screen.width // 2, screen.height // 2), screen, direction)
        )

    # -- painting --------------------------------------------------------------
    def paint(self, painter: QPainter, transform: ViewTransform) -> None:
        """Draw the cursor as a cross with an open middle; logical pixels."""
        point = self.point
        if point is None:
            return
        at = QPointF(*transform.to_view(point))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for color, width in (("mark_halo", 5.0), ("mark_person", 2.0)):
            pen = QPen(theme.overlay(color), width)
            pen.setCapStyle(Qt.PenCapStyle.RoundCap)
            painter.setPen(pen)
            for across, down in (each.value for each in Direction):
                way = QPointF(across, down)
                painter.drawLine(at + way * _GAP, at + way * _ARM)
        painter.restore()


def _modifiers(event: QKeyEvent) -> Qt.KeyboardModifier:
    return event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
