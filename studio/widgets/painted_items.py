"""Items of a painted control for assistive technology: tabs, segments, cards. And roles of painted widgets.

A widget that paints one thing says with a ``spoken_role`` of its class what it is, and with its accessible
name what it shows. Nothing here runs before a screen reader, or a test, asks for what is on the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

Role = QAccessible.Role


class PaintedItems:
    """What a widget that paints its items says of them."""

    spoken_roles = (Role.List, Role.ListItem)
    """What the widget is, and what its items are."""

    def spoken_items(self) -> Sequence[str]:
        """The words of each item, the first one first."""
        raise NotImplementedError

    def item_place(self, number: int) -> QRect:
        """Where an item is on the widget."""
        raise NotImplementedError

    def current_item(self) -> int:
        """The number of the chosen item; -1 for none."""
        raise NotImplementedError


def _interface_of(_class_name: str, of: QObject | None) -> QAccessibleInterface | None:
    if not isinstance(of, QWidget):
        return None
    if isinstance(of, PaintedItems):
        return _Control(of)
    role = getattr(type(of), "spoken_role", None)
    return QAccessibleWidget(of, role) if role is not None else None


QAccessible.installFactory(_interface_of)


# Qt takes None where its stubs for Python do not: hence Any.
class _Control(QAccessibleWidget):
    """The widget. Its items are made when they are asked for, and live as long as the widget."""

    def __init__(self, widget: QWidget) -> None:
        assert isinstance(widget, PaintedItems)
        super().__init__(widget, widget.spoken_roles[0])
        self.control, self.items = widget, widget
        self._parts: dict[int, _Item] = {}
        ids: list[int] = []
        self._ids = ids
        # Qt frees the interface of a destroyed widget, but not those that it made.
        widget.destroyed.connect(partial(_free, ids))

    def childCount(self) -> int:  # noqa: N802 - Qt's name
        return len(self.items.spoken_items())

    def child(self, index: int) -> Any:
        if not 0 <= index < self.childCount():
            return None
        if index not in self._parts:
            part = self._parts[index] = _Item(self, index)
            self._ids.append(QAccessible.registerAccessibleInterface(part))
        return self._parts[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:  # noqa: N802 - Qt's name
        return child.number if isinstance(child, _Item) else -1

    def childAt(self, x: int, y: int) -> Any:  # noqa: N802 - Qt's name
        at = self.control.mapFromGlobal(QPoint(x, y))
        numbers = range(self.childCount())
        return self.child(next((each for each in numbers if self.items.item_place(each).contains(at)), -1))

    def focusChild(self) -> Any:  # noqa: N802 - Qt's name
        return self.child(self.items.current_item()) if self.control.hasFocus() else None


class _Item(QAccessibleInterface):
    def __init__(self, control: _Control, number: int) -> None:
        super().__init__()
        self._control, self.number = control, number

    def isValid(self) -> bool:  # noqa: N802 - Qt's name
        return self.number < self._control.childCount()

    def object(self) -> Any:
        return None

    def window(self) -> Any:
        return self._control.window()

    def parent(self) -> Any:
        return self._control

    def childCount(self) -> int:  # noqa: N802 - Qt's name
        return 0

    def child(self, _index: int) -> Any:
        return None

    def indexOfChild(self, _child: QAccessibleInterface) -> int:  # noqa: N802 - Qt's name
        return -1

    def childAt(self, _x: int, _y: int) -> Any:  # noqa: N802 - Qt's name
        return None

    def focusChild(self) -> Any:  # noqa: N802 - Qt's name
        return None

    def role(self) -> QAccessible.Role:
        return self._control.items.spoken_roles[1]

    def rect(self) -> QRect:
        place = self._control.items.item_place(self.number)
        return QRect(self._control.control.mapToGlobal(place.topLeft()), place.size())

    def text(self, kind: QAccessible.Text) -> str:
        is_name = kind == QAccessible.Text.Name and self.isValid()
        return self._control.items.spoken_items()[self.number] if is_name else ""

    def setText(self, kind: QAccessible.Text, text: str) -> None:  # noqa: N802 - Qt's name
        """Nothing can be written here."""

    def state(self) -> QAccessible.State:
        state, control = QAccessible.State(), self._control
        is_current = control.items.current_item() == self.number
        state.selectable = state.focusable = True
        if control.items.spoken_roles[1] is Role.RadioButton:
            state.checkable, state.checked = True, is_current
        state.selected = is_current
        state.focused = is_current and control.control.hasFocus()
        state.disabled = not control.control.isEnabled()
        state.invisible = not control.control.isVisible() or not self.isValid()
        return state


def _free(ids: list[int], _widget: QObject | None = None) -> None:
    for each in ids:
        QAccessible.deleteAccessibleInterface(each)
    ids.clear()
