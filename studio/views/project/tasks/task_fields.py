"""Fields of the task form: texts, numbers, and lists of known values."""

from __future__ import annotations

from collections.abc import Collection

from PySide6.QtWidgets import QComboBox, QPlainTextEdit, QSpinBox

from collector.model.i18n import N_, _
from collector.model.task import CATEGORIES, RESET_APP, RESET_PHONE, RESET_PROJECT, category_text
from rule_editor.widgets.combo_box import ComboBox
from studio.widgets.captions.task_text import value_text
from studio.widgets.controls.fields import dress_spin_box

_RESETS = {
    "": N_("nothing"),
    RESET_APP: N_("the app's data"),
    RESET_PHONE: N_("the whole virtual phone"),
    RESET_PROJECT: N_("the project's own reset"),
}


def text_field(text: str, height: int) -> QPlainTextEdit:
    """A text of several lines, of a fixed height in pixels."""
    field = QPlainTextEdit(text)
    field.setFixedHeight(height)
    return field


def choice_field(values: Collection[str], value: str, *, optional: bool = True) -> QComboBox:
    """A list of the known values, and the one that is set."""
    field = ComboBox()
    for known in dict.fromkeys((*([""] if optional else []), *values, value)):
        field.addItem(value_text(known) or _("not set"), known)
    field.setCurrentIndex(field.findData(value))
    return field


def category_field(value: str) -> QComboBox:
    """A list of the known categories; another benchmark's can be typed."""
    field = ComboBox()
    field.setEditable(True)
    for known in dict.fromkeys(("", *CATEGORIES, value)):
        field.addItem(category_text(known), known)
    field.setCurrentIndex(field.findData(value))
    return field


def reset_field(value: str) -> QComboBox:
    """A list of what can be reset, and a value of a later version as it is written."""
    field = ComboBox()
    for kind in dict.fromkeys((*_RESETS, value)):
        field.addItem(_(_RESETS[kind]) if kind in _RESETS else kind, kind)
    field.setCurrentIndex(field.findData(value))
    return field


def number_field(value: int, least: int, most: int, none: str) -> QSpinBox:
    """A number from ``least`` to ``most``; the least one is shown as ``none``."""
    field = QSpinBox()
    dress_spin_box(field)
    field.setRange(least, most)
    field.setSpecialValueText(none)
    field.setValue(value)
    return field
