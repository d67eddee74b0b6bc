"""Small input dialogs for one line of text or a number. They open without blocking the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QInputDialog, QWidget

from rule_editor.widgets.field_names import name_field
from studio.widgets.late_pages import parent_of_dialog

TextHandler = Callable[[str], object]
"""A bound method of a QObject that gets the text of a dialog that was accepted."""


def _input_dialog(parent: QWidget, title: str, label: str, handler: TextHandler) -> QInputDialog:
    dialog = QInputDialog(parent_of_dialog(parent))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.textValueSelected.connect(handler)
    return dialog


def ask_text(parent: QWidget, title: str, label: str, handler: TextHandler) -> QInputDialog:
    """Ask for one line of text."""
    dialog = _input_dialog(parent, title, label, handler)
    dialog.open()
    return dialog


def ask_number(
    parent: QWidget, title: str, label: str, numbers: range, first: int, handler: Callable[[int], object]
) -> QInputDialog:
    """Ask for one of ``numbers``; ``first`` is there at the beginning."""
    dialog = QInputDialog(parent_of_dialog(parent))
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setInputMode(QInputDialog.InputMode.IntInput)
    dialog.setIntRange(numbers.start, numbers.stop - 1)
    dialog.setIntValue(first)
    dialog.intValueSelected.connect(handler)
    dialog.open()
    return dialog


def ask_choice(
    parent: QWidget, title: str, label: str, choices: Sequence[str], handler: TextHandler
) -> QInputDialog:
    """Ask for one of ``choices``, or for any other text that the person types."""
    dialog = _input_dialog(parent, title, label, handler)
    dialog.setComboBoxItems(list(choices))
    dialog.setComboBoxEditable(True)
    field = dialog.findChild(QComboBox)
    assert field is not None
    name_field(field, label)
    dialog.open()
    return dialog
