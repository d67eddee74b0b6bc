"""What a field needs beside the style sheet."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractSpinBox

_SPIN_MARGIN = 7
"""The style sheet's padding moves the frame of a spin box and not its text."""


def dress_spin_box(field: QAbstractSpinBox) -> None:
    """Start its text where line edits and lists start theirs."""
    field.lineEdit().setTextMargins(_SPIN_MARGIN, 0, 0, 0)
