"""What can be reached by the keyboard in a window, and what of it has no name that can be read aloud."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QKeySequenceEdit, QScrollArea, QWidget

_OURS = ("studio", "rule_editor")
_DECORATION = (
    "Label",
    "_Picture",
    "_Frame",
    "DragGrip",
    "ToolkitIcon",
    "ThemeIcon",
    "StateIcon",
    "IconLine",
    "Gutter",
    "NavigationRail",
)
"""Beside these the same is said in words."""
_MOST_CHILDREN = 40
"""Children of one kind look alike: so many of a table are asked for their names."""
_NAMED = {
    QAccessible.Role.Cell, QAccessible.Role.Row, QAccessible.Role.ListItem, QAccessible.Role.TreeItem,
    QAccessible.Role.ColumnHeader, QAccessible.Role.Button, QAccessible.Role.CheckBox,
    QAccessible.Role.EditableText, QAccessible.Role.ComboBox, QAccessible.Role.SpinBox,
}  # fmt: skip


def name_of(widget: QWidget) -> str:
    return f"{type(widget).__name__} {widget.accessibleName()!r}"


def stops_of_dialog(dialog: QWidget) -> list[QWidget]:
    """What Tab comes to in a dialog, the first stop first. A text keeps Tab; Ctrl+Tab leaves it."""
    stops: list[QWidget] = []
    while (stop := QApplication.focusWidget()) is not None and stop not in stops:
        assert stop.window() is dialog, name_of(stop)
        stops.append(stop)
        QTest.keyClick(stop, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is stop:
            QTest.keyClick(stop, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert stop is stops[0], f"Tab does not leave {name_of(stops[-1])}"
    return stops


def paints(widget: object) -> bool:
    """Whether a widget of ours paints what it says, and is no mere icon beside words."""
    kind = type(widget)
    ours = [each for each in kind.mro() if each.__module__.split(".")[0] in _OURS]
    return any("paintEvent" in each.__dict__ for each in ours) and kind.__name__ not in _DECORATION


def nameless(item: QAccessibleInterface, path: str = "") -> list[str]:
    """What can be reached in an accessible tree and has no name, or is painted by us and has no role."""
    state, role, widget = item.state(), item.role(), item.object()
    if state.invisible:
        return []
    name = item.text(QAccessible.Text.Name)
    here = f"{path}/{role.name} {name[:30]} {type(widget).__name__}"
    is_leaf = not item.childCount()
    needs = role in _NAMED or (state.focusable and role is not QAccessible.Role.Window)
    needs = needs or (is_leaf and paints(widget))
    found = [here] if needs and not name.strip() else []
    has_no_role = role in (QAccessible.Role.NoRole, QAccessible.Role.Client)
    if needs and has_no_role and not isinstance(widget, QScrollArea | QKeySequenceEdit):
        found.append(f"{here}: no role")
    for number in range(min(item.childCount(), _MOST_CHILDREN)):
        child = item.child(number)
        if child is not None:
            found += nameless(child, here[-60:])
    return found
