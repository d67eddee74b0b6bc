"""What lists, tables, trees and grids have in common: their set-up, and which key opens."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QFrame

from rule_editor.widgets.toolkit import DesignTokens

_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


def set_up_view(view: QAbstractItemView, name: str, tokens: DesignTokens, left_keys: str = "") -> None:
    """Set up a view whose rows are painted: one is selected at a time, and none is edited.

    ``name`` is read by assistive technology; ``left_keys``, separated by spaces, are those navigation keys
    that the view leaves to the commands of the window.
    """
    view.setAccessibleName(name)
    view.setProperty("leavesKeys", left_keys)
    view.setFrameShape(QFrame.Shape.NoFrame)
    view.setMouseTracking(True)
    view.setTabKeyNavigation(False)
    view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
    view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    tokens.changed.connect(view.viewport().update)


def is_enter(event: QKeyEvent) -> bool:
    """Whether one of the Enter keys is pressed, without a modifier."""
    modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
    return event.key() in _ENTER and modifiers == Qt.KeyboardModifier.NoModifier
