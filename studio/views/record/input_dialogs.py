"""Small questions the Record workspace asks; none of them stops the window."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QWidget

from collector.model.i18n import _

Take = Callable[[str], object]


def _dialog(parent: QWidget, title: str, label: str, take: Take) -> QInputDialog:
    dialog = QInputDialog(parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.textValueSelected.connect(take)
    return dialog


def ask_text(parent: QWidget, title: str, label: str, take: Take) -> QInputDialog:
    """A line of text; ``take``, a bound method of a QObject, gets it."""
    dialog = _dialog(parent, title, label, take)
    dialog.open()
    return dialog


def ask_app(parent: QWidget, packages: Sequence[str], take: Take) -> QInputDialog:
    """One of the packages, or any other a person types."""
    dialog = _dialog(parent, _("Open app"), _("Package of the app"), take)
    dialog.setComboBoxItems(list(packages))
    dialog.setComboBoxEditable(True)
    dialog.open()
    return dialog
