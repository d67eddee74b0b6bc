"""Adjustments of input fields that the style sheet cannot make."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox, QCompleter, QWidget

_SPIN_MARGIN = 7
"""Left margin of the text. The padding of the style sheet moves only the frame of a spin box."""


def dress_spin_box(field: QAbstractSpinBox) -> None:
    """Align the text of a spin box with that of line edits and lists."""
    field.lineEdit().setTextMargins(_SPIN_MARGIN, 0, 0, 0)


def dress_completer(completer: QCompleter) -> None:
    """Style the list of a completer as a part of its field: Qt makes it a window of its own.

    It gets a ground; without one it is black where windows are not composed.
    """
    popup, home = completer.popup(), completer.parent()
    if popup is not None:
        popup.setProperty("surface", "float")
        # The home of both, with the completer as its older child: a completer deletes its list itself.
        if not isinstance(home, QWidget):
            home = completer.widget()
        if home is not None:
            popup.setParent(home, popup.windowFlags())
