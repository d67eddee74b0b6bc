"""The device view: send input to the phone's screen (Interact) or inspect its nodes (Inspect)."""

from __future__ import annotations

import sys
import time
from enum import Enum, auto

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal, Slot
from PySide6.QtGui import (
    QContextMenuEvent,
    QFocusEvent,
    QGuiApplication,
    QInputMethodEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from collector.model.i18n import _, join_sentences
from collector.model.tree import Node
from studio.theme import theme
from studio.widgets.device_view.canvas import ScreenCanvas
from studio.widgets.device_view.events import PointerEvent, ScrollEvent
from studio.widgets.device_view.keyboard_tag import keyboard_tag_strip, paint_keyboard_tag
from studio.widgets.device_view.keys import HeldKeys, is_command, is_paste, phone_key, typed_text
from studio.widgets.device_view.mouse_touch import MouseTouch
from studio.widgets.device_view.stack_menu import StackMenu
from studio.widgets.device_view.touch_cursor import CURSOR_KEYS, TouchCursor
from studio.widgets.device_view.tree_walk import WALKING_KEYS, node_beside
from studio.widgets.node_selection import NodeSelection

_NOTCH = 120
COMMAND_MODIFIER = "Ctrl" if sys.platform == "darwin" else "Alt"
"""The key that, held, makes a key run a command while the phone has the keyboard."""
_BUTTON_KEYS = {Qt.MouseButton.RightButton: "back", Qt.MouseButton.MiddleButton: "home"}


class MirrorMode(Enum):
    """What the mouse does: send input, or inspect nodes."""

    INTERACT = auto()
    INSPECT = auto()


class DeviceView(ScreenCanvas):
    """Emit a person's input as signals, in device pixels; never calls a device.

    Holding Alt swaps the modes, except during a gesture. The keyboard is the phone's from a click on it or
    from :meth:`take_keyboard`, until Esc or until a click or Tab moves the focus elsewhere. While it is not,
    keys move the :attr:`touch_cursor` on a live screen, and walk through the tree of an inspected one.
    """

    pointer = Signal(object)
    """A :class:`PointerEvent`."""
    scrolled = Signal(object)
    """A :class:`ScrollEvent`."""
    key_pressed = Signal(str)
    """A key of ``collector.model.action.KEY_NAMES``, or ``code:N``."""
    text_committed = Signal(str)
    """Text typed, composed with an input method or pasted."""
    cursor_moved = Signal(object)
    """The Position under the pointer, or None beside the screen."""
    mode_changed = Signal(object)
    """The Mode in force now, flipped or not."""
    keyboard_changed = Signal(bool)
    """Whether the keyboard is the phone's now."""
    picked = Signal(object)
    """Emits the Node that a click selected."""
    opened_in_tree = Signal(object)
    """A Node to show in the tree panel."""

    def __init__(self, selection: NodeSelection | None = None, parent: QWidget | None = None) -> None:
        super().__init__(selection, parent)
        self._mode = MirrorMode.INTERACT
        self._flipped, self._live = False, True
        self._mouse_touch = MouseTouch()
        self.touch_cursor = TouchCursor(self.selection, lambda: self.screen_size, self)
        """Where the keyboard touches the screen."""
        self._held_keys = HeldKeys()
        self._panning: QPointF | None = None
        self._space = self._wants_keyboard = self._has_keyboard = False
        self._cursor_at = QPointF(0, 0)
        self._under_pointer = False
        self._preedit = ""
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("hasFocusRing", True)
        self.selection.tree_changed.connect(self._hover_again)
        self.selection.tree_changed.connect(self._describe)
        self.touch_cursor.pointer.connect(self.pointer)
        self.touch_cursor.moved.connect(self._cursor_changed)
        self._update_keyboard()

    # -- mode --------------------------------------------------------------
    @property
    def mode(self) -> MirrorMode:
        """The mode in effect, including a held Alt; a recorded screen can only be inspected."""
        if not self._live:
            return MirrorMode.INSPECT
        if not self._flipped:
            return self._mode
        return MirrorMode.INSPECT if self._mode is MirrorMode.INTERACT else MirrorMode.INTERACT

    @property
    def chosen_mode(self) -> MirrorMode:
        """The mode that is in effect while Alt is not held, on a screen that takes input."""
        return self._mode

    def set_mode(self, mode: MirrorMode) -> None:
        """Choose the mode that is in effect while Alt is not held."""
        self._lift()
        self._mode = mode
        self._mode_is_new()

    @property
    def is_live(self) -> bool:
        """Whether the screen takes input."""
        return self._live

    def set_live(self, live: bool) -> None:
        """Set whether the picture is a phone's or a recording's."""
        if live != self._live:
            self._lift()
            self._live = live
            self._mode_is_new()

    def _flip(self, on: bool) -> None:
        if on != self._flipped and not self._mouse_touch.is_down:
            self._flipped = on
            self._mode_is_new()

    def _mode_is_new(self) -> None:
        interact = self.mode is MirrorMode.INTERACT
        if interact:
            self.selection.hover(None)
        self._describe()
        self._update_keyboard()
        self.mode_changed.emit(self.mode)
        self.update()

    @Slot()
    def _describe(self) -> None:
        """Say aloud what mouse and keyboard do, and what the cursor is on."""
        interacts = self.mode is MirrorMode.INTERACT
        mouse = _("Your mouse is a finger") if interacts else _("Your mouse picks nodes")
        keys = self.keyboard_hint() if self._has_keyboard else self.touch_cursor.words()
        self.setAccessibleDescription(join_sentences(keys, mouse))

    @Slot()
    def _cursor_changed(self) -> None:
        self._describe()
        self.update()

    # -- whose keyboard ----------------------------------------------------
    @property
    def has_keyboard(self) -> bool:
        """Whether the keyboard is the phone's; a held Alt does not change that."""
        return self._has_keyboard

    @Slot()
    def take_keyboard(self) -> None:
        """Give the keyboard to the phone; Esc gives it back."""
        self._wants_keyboard = True
        self.setFocus()
        self._update_keyboard()

    @Slot()
    def release_keyboard(self) -> None:
        """Give the keyboard back to the window, whose keys run commands again."""
        self._wants_keyboard = False
        self._update_keyboard()

    @staticmethod
    def keyboard_hint() -> str:
        """The sentence that is shown while the keyboard is the phone's."""
        return _(
            "Keys go to the phone, Esc ends it, {modifier}+key runs a command", modifier=COMMAND_MODIFIER
        )

    def _update_keyboard(self) -> None:
        interacts = self._live and self._mode is MirrorMode.INTERACT
        has = self._wants_keyboard and interacts and self.hasFocus()
        self.setProperty("takesAlso", CURSOR_KEYS if interacts else "")
        if has == self._has_keyboard:
            return
        self._has_keyboard = has
        self._held_keys.forget()
        if has:
            self.touch_cursor.hide()
        self.setProperty("takesKeys", has)
        # An input method would compose words of the letters that run commands.
        self.setAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled, has)
        QGuiApplication.inputMethod().update(Qt.InputMethodQuery.ImEnabled)
        self._describe()
        self.keyboard_changed.emit(has)
        self.update()

    def _paint_frame(self, painter: QPainter) -> None:
        if not self._live:
            super()._paint_frame(painter)
            return
        inspect = self.mode is MirrorMode.INSPECT
        self._paint_live_frame(
            painter, "accent" if inspect else "ok", corners=inspect, strong=self._has_keyboard
        )

    # -- mouse -------------------------------------------------------------
    def mousePressEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._flip(bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        if self._starts_pan(event):
            self._panning = event.position()
        elif self.mode is MirrorMode.INTERACT:
            self._touch(event)
        elif event.button() == Qt.MouseButton.LeftButton:
            node = self._node_at(event.position())
            self.selection.select(node)
            if node is not None:
                self.picked.emit(node)
        event.accept()

    def _starts_pan(self, event: QMouseEvent) -> bool:
        if self.mode is not MirrorMode.INSPECT:
            return False
        left = event.button() == Qt.MouseButton.LeftButton
        return event.button() == Qt.MouseButton.MiddleButton or (left and self._space)

    def _touch(self, event: QMouseEvent) -> None:
        position = self.transform.position_at(event.position().x(), event.position().y())
        if position is None:
            self.release_keyboard()
            return
        if event.button() == Qt.MouseButton.LeftButton:
            self.touch_cursor.finger.cancel()
            pinch = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
            # Before anything is painted: the finger is on its way to the phone meanwhile.
            self._emit_pointers(self._mouse_touch.press(position, pinch=pinch))
            self.take_keyboard()
        elif event.button() in _BUTTON_KEYS:
            self.key_pressed.emit(_BUTTON_KEYS[event.button()])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        self._flip(bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))
        at = event.position()
        self._cursor_at, self._under_pointer = at, True
        self.cursor_moved.emit(self.transform.position_at(at.x(), at.y()))
        if self._panning is not None:
            moved = at - self._panning
            self._panning = at
            self.pan(moved.x(), moved.y())
        elif self._mouse_touch.is_down:
            self._emit_pointers(self._mouse_touch.move(self.transform.clamped_position(at.x(), at.y())))
        elif self.mode is MirrorMode.INSPECT:
            self.selection.hover(self._node_at(at))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if event.button() == Qt.MouseButton.LeftButton and self._mouse_touch.is_down:
            at = event.position()
            self._emit_pointers(self._mouse_touch.release(self.transform.clamped_position(at.x(), at.y())))
        self._panning = None
        self._flip(bool(event.modifiers() & Qt.KeyboardModifier.AltModifier))

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:  # noqa: N802 - Qt's name
        if self.mode is MirrorMode.INTERACT or self._starts_pan(event):
            self.mousePressEvent(event)
            return
        node = self._node_at(event.position())
        if node is not None:
            self.selection.select(node)
            self.opened_in_tree.emit(node)

    def leaveEvent(self, event: QEvent) -> None:  # noqa: N802 - Qt's name
        self._under_pointer = False
        self.cursor_moved.emit(None)
        self.selection.hover(None)
        super().leaveEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:  # noqa: N802 - Qt's name
        turned = event.angleDelta()
        x, y = turned.x() / _NOTCH, turned.y() / _NOTCH
        at, modifiers = event.position(), event.modifiers()
        event.accept()
        if modifiers & Qt.KeyboardModifier.ControlModifier:
            self.zoom_at(at, y or x)
        elif modifiers & Qt.KeyboardModifier.AltModifier:
            # Some platforms make the wheel horizontal while Alt is held.
            self._cycle(at, -1 if (y or x) > 0 else 1)
        elif self.mode is MirrorMode.INTERACT:
            position = self.transform.position_at(at.x(), at.y())
            if position is not None:
                # Qt counts turns to the left, Android those to the right.
                self.scrolled.emit(ScrollEvent(position, -x, y, time.monotonic_ns()))
        else:
            self.pan(turned.x() / 2, turned.y() / 2)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:  # noqa: N802 - Qt's name
        if self.mode is MirrorMode.INSPECT:
            by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
            self.open_stack_menu(self._cursor_at if by_key else QPointF(event.pos()))
        event.accept()

    def _emit_pointers(self, events: list[PointerEvent]) -> None:
        for event in events:
            self.pointer.emit(event)

    def _lift(self) -> None:
        """End the mouse's gesture: the window lost the mouse, or the screen takes no input any more."""
        self._emit_pointers(self._mouse_touch.cancel())

    # -- nodes -------------------------------------------------------------
    def _node_at(self, at: QPointF) -> Node | None:
        position = self.transform.position_at(at.x(), at.y())
        return self.selection.at(position.point) if position is not None else None

    @Slot()
    def _hover_again(self) -> None:
        """Highlight the node now under a resting pointer, after the screen changed."""
        if self.mode is MirrorMode.INSPECT and self._under_pointer:
            self.selection.hover(self._node_at(self._cursor_at))

    def _stack_at(self, at: QPointF) -> list[Node]:
        position = self.transform.position_at(at.x(), at.y())
        return self.selection.stack(position.point) if position is not None else []

    def _cycle(self, at: QPointF, by: int) -> None:
        """Select the next of the nodes stacked at a point."""
        stack = self._stack_at(at)
        if not stack:
            return
        selected = self.selection.selected
        place = stack.index(selected) + by if selected in stack else 0
        node = stack[place % len(stack)]
        self.selection.select(node)
        self.selection.hover(node)

    def open_stack_menu(self, at: QPointF) -> StackMenu | None:
        """Open the menu of the nodes stacked at a point of the view; None when there are none."""
        stack = self._stack_at(at)
        if not stack:
            return None
        menu = StackMenu(stack, self.window())
        menu.hovered.connect(self.selection.hover)
        menu.chosen.connect(self.selection.select)
        menu.opened.connect(self.opened_in_tree)
        menu.closed.connect(self._menu_closed)
        menu.open_beside(self, at.toPoint(), self._logical_bounds(stack[0]))
        return menu

    def _menu_closed(self) -> None:
        self.selection.hover(None)
        self.setFocus(Qt.FocusReason.PopupFocusReason)

    def _logical_bounds(self, node: Node) -> QRect:
        if node.bounds is None:
            return QRect()
        rect, ratio = self.transform.to_physical(node.bounds), self.transform.ratio
        return QRect(
            round(rect.left / ratio),
            round(rect.top / ratio),
            round(rect.width / ratio),
            round(rect.height / ratio),
        )

    # -- keyboard ----------------------------------------------------------
    def event(self, event: QEvent) -> bool:
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and self._is_mine(event):
            event.accept()
            return True
        return super().event(event)

    def _is_mine(self, event: QKeyEvent) -> bool:
        """Send keys to the phone before any shortcut of the window takes them."""
        if event.key() == Qt.Key.Key_Alt:
            return True
        if is_command(event.modifiers()):
            return False
        if self._has_keyboard:
            return event.key() == Qt.Key.Key_Escape or bool(
                typed_text(event) or phone_key(event) or is_paste(event)
            )
        if self.mode is MirrorMode.INTERACT:
            return self.touch_cursor.takes(event)
        return event.key() in WALKING_KEYS or event.key() == Qt.Key.Key_Space

    def focusNextPrevChild(self, forward: bool) -> bool:  # noqa: N802 - Qt's name
        """Send Tab to the phone; Shift+Tab always leaves, so that keyboard users are not trapped."""
        if forward and self._has_keyboard:
            return False
        self.release_keyboard()
        return super().focusNextPrevChild(forward)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Alt:
            self._flip(True)
            event.ignore()  # alone it opens the menus
        elif is_command(event.modifiers()):
            super().keyPressEvent(event)
        elif self._has_keyboard:
            if self._held_keys.is_pressed_here(event):
                self._type(event)
        elif self.mode is MirrorMode.INTERACT:
            if not self.touch_cursor.press(event):
                super().keyPressEvent(event)
        else:
            self._walk(event)

    def keyReleaseEvent(self, event: QKeyEvent) -> None:  # noqa: N802 - Qt's name
        if event.key() == Qt.Key.Key_Alt:
            self._flip(False)
            event.ignore()
        elif event.key() == Qt.Key.Key_Space and not event.isAutoRepeat():
            self._space = False
        else:
            super().keyReleaseEvent(event)

    def _type(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.release_keyboard()
        elif is_paste(event):
            text = QGuiApplication.clipboard().text()
            if text:
                self.text_committed.emit(text)
        elif name := phone_key(event):
            self.key_pressed.emit(name)
        elif text := typed_text(event):
            self.text_committed.emit(text)
        else:
            super().keyPressEvent(event)

    def _walk(self, event: QKeyEvent) -> None:
        """Move through the tree with arrow keys; Enter shows the node in the tree panel, Esc deselects it."""
        node = self.selection.selected
        if event.key() == Qt.Key.Key_Space:
            self._space = True
        elif event.key() == Qt.Key.Key_Escape and node is not None:
            self.selection.select(None)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and node is not None:
            self.opened_in_tree.emit(node)
        elif event.key() in WALKING_KEYS:
            self.selection.select(node_beside(self.selection.tree, node, Qt.Key(event.key())))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        super().focusInEvent(event)
        if event.reason() in _WALKED_BY:
            self._wants_keyboard = False
        self._update_keyboard()

    def focusOutEvent(self, event: QFocusEvent) -> None:  # noqa: N802 - Qt's name
        # A palette or a dialog borrows the focus: what is typed after it still goes to the phone.
        if event.reason() in (Qt.FocusReason.MouseFocusReason, *_WALKED_BY):
            self._wants_keyboard = False
        self._update_keyboard()
        self._lift()
        self._space = False
        self._flip(False)
        super().focusOutEvent(event)

    # -- input methods -----------------------------------------------------
    def inputMethodEvent(self, event: QInputMethodEvent) -> None:  # noqa: N802 - Qt's name
        if not self._has_keyboard:
            return
        self._preedit = event.preeditString()
        if event.commitString():
            self.text_committed.emit(event.commitString())
        self.update()
        event.accept()

    def inputMethodQuery(self, query: Qt.InputMethodQuery) -> object:  # noqa: N802 - Qt's name
        if query == Qt.InputMethodQuery.ImEnabled:
            return self._has_keyboard
        if query == Qt.InputMethodQuery.ImCursorRectangle:
            return self._composing_rect()
        return super().inputMethodQuery(query)

    def _composing_rect(self) -> QRect:
        """Return where composed text is shown: the bottom of the picture."""
        foot = self.picture_rect()
        return QRect(foot.left(), foot.bottom() - 27, foot.width(), 28)

    def _paint_notice(self, painter: QPainter, area: QRect) -> None:
        super()._paint_notice(painter, area)
        if self.hasFocus() and self.mode is MirrorMode.INTERACT:
            self.touch_cursor.paint(painter, self.transform)
        if self._has_keyboard and area.intersects(keyboard_tag_strip(self.rect(), self.picture_rect())):
            short = _("Keys go to the phone, Esc ends it")
            paint_keyboard_tag(painter, self.rect(), self.picture_rect(), self.keyboard_hint(), short)
        if self._preedit:
            rect = self._composing_rect()
            painter.fillRect(rect, theme.color("bg-2"))
            painter.setPen(theme.color("text"))
            painter.setFont(theme.font("title"))
            painter.drawText(rect.adjusted(8, 0, -8, 0), Qt.AlignmentFlag.AlignVCenter, self._preedit)


_WALKED_BY = (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
