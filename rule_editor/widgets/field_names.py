"""Names for the parts that Qt puts into fields and leaves without one: buttons, and the field of a choice."""

from __future__ import annotations

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QComboBox, QKeySequenceEdit, QLineEdit, QWidget

from collector.model.i18n import _


def add_clear_button(field: QLineEdit) -> None:
    """Show a button that empties the field while there is text in it."""
    field.setClearButtonEnabled(True)
    action = field.findChild(QAction, "_q_qlineeditclearaction")
    if action is not None:
        action.setText(_("Empty the field"))


def name_field(field: QWidget, name: str) -> None:
    """Give a field its accessible name; of an editable choice, and of one for keys, also the field in it."""
    field.setAccessibleName(name)
    inner = field.lineEdit() if isinstance(field, QComboBox) else None
    if isinstance(field, QKeySequenceEdit):
        inner = field.findChild(QLineEdit)
    if inner is not None:
        inner.setAccessibleName(name)
