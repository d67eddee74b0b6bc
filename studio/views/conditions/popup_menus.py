"""Menus and questions that the controllers of the Rules workspace open."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtWidgets import QInputDialog, QMenu, QWidget, QWidgetAction

from studio.widgets.controls import Label


def add_heading(menu: QMenu, text: str) -> None:
    """Add a line that names the entries below it; it cannot be chosen."""
    _add_label(menu, text, Label(text, "name", "text-2"))


def add_problem(menu: QMenu, text: str) -> None:
    """Add a sentence that says why an entry is not there; it cannot be chosen."""
    _add_label(menu, text, Label(text, "body", "err"))


def _add_label(menu: QMenu, text: str, label: Label) -> None:
    label.setContentsMargins(9, 6, 16, 2)
    action = QWidgetAction(menu)
    action.setText(text)
    action.setDefaultWidget(label)
    action.setEnabled(False)
    menu.addAction(action)


def open_below(menu: QMenu, widget: QWidget) -> None:
    """Open a menu at the lower left corner of a widget."""
    menu.popup(widget.mapToGlobal(widget.rect().bottomLeft()))


def ask_for_text(
    parent: QWidget, title: str, label: str, current: str, answered: Callable[[str], object]
) -> None:
    """Ask for a text, such as another id, without blocking; ``answered`` gets it."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(current)
    dialog.textValueSelected.connect(answered)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
