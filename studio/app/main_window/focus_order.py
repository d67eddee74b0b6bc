"""The order in which Tab walks through a window: as its widgets are read, row by row, panel by panel."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QComboBox, QLineEdit, QScrollArea, QWidget

if TYPE_CHECKING:
    from studio.views.workspace import Workspace

_ATOMIC = (QAbstractSpinBox, QComboBox, QLineEdit)
"""Widgets whose inner parts are no stops of their own."""


def focus_order(container: QWidget) -> Iterator[QWidget]:
    """Yield the visible widgets of a container that take the focus by Tab, in reading order."""
    for child in _in_reading_order(container):
        takes_focus = child.isEnabled() and child.focusPolicy() & Qt.FocusPolicy.TabFocus
        if takes_focus and child.focusProxy() is None and _can_be_seen(child):
            yield child
        if not isinstance(child, _ATOMIC):
            yield from focus_order(child)


def focus_next(container: QWidget, *, forward: bool) -> bool:
    """Move the focus to the next or the previous widget of the order; False when there is none."""
    stops = list(focus_order(container))
    if not stops:
        return False
    focused = QApplication.focusWidget()
    step = 1 if forward else -1
    place = stops.index(focused) + step if focused in stops else _place_near(stops, focused, forward=forward)
    stop = stops[place % len(stops)]
    stop.setFocus(Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason)
    _scroll_to(stop)
    return True


def leave_hidden(workspace: Workspace | None) -> bool:
    """Let a workspace take the keyboard from what was hidden or disabled with it: Qt asks as after Tab then.

    Returns whether it was taken.
    """
    focused = QApplication.focusWidget()
    if workspace is None or focused is None or not workspace.window().isAncestorOf(focused):
        return False
    if focused.isVisible() and focused.isEnabled():
        return False
    workspace.take_keyboard()
    return QApplication.focusWidget() is not focused


def scroll_to_focus() -> None:
    """Scroll to the widget that has the focus when nothing of it is seen: a command gave it the keyboard."""
    widget = QApplication.focusWidget()
    if widget is not None and widget.isVisible() and widget.visibleRegion().isEmpty():
        _scroll_to(widget)


def _place_near(stops: list[QWidget], focused: QWidget | None, *, forward: bool) -> int:
    """The stop within or around a widget that is no stop itself, or the first or last one."""
    if focused is not None:
        for place, stop in enumerate(stops):
            if stop.isAncestorOf(focused):
                return place + (1 if forward else -1)
    return 0 if forward else -1


def _can_be_seen(widget: QWidget) -> bool:
    """Whether something of a widget is shown, or can be scrolled to. Nothing is in a folded panel."""
    if not widget.visibleRegion().isEmpty():
        return True
    parent = widget.parentWidget()
    while parent is not None and not isinstance(parent, QScrollArea):
        parent = parent.parentWidget()
    return parent is not None and _can_be_seen(parent)


def _in_reading_order(container: QWidget) -> list[QWidget]:
    children = [
        child
        for child in container.children()
        if isinstance(child, QWidget) and child.isVisible() and not child.isWindow()
    ]
    return sorted(children, key=functools.cmp_to_key(_compare))


def _compare(first: QWidget, second: QWidget) -> int:
    """Beside each other: the left one first. Otherwise the upper one."""
    one, other = first.geometry(), second.geometry()
    overlap = min(one.bottom(), other.bottom()) - max(one.top(), other.top())
    if overlap > min(one.height(), other.height()) / 2:
        return one.left() - other.left() or one.top() - other.top()
    return one.top() - other.top() or one.left() - other.left()


def _scroll_to(widget: QWidget) -> None:
    """Make a widget visible in the scroll areas around it."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            inner = parent.widget()
            if inner is not None and inner.isAncestorOf(widget):
                at = widget.mapTo(inner, QPoint(0, 0))
                parent.ensureVisible(at.x(), at.y() + widget.height() // 2, 24, widget.height())
        parent = parent.parentWidget()
