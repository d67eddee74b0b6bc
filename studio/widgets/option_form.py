"""Fields for the options of a kind of agent, judge or format, as it declares them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml
from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.options import KindWithOptions, PluginOption, option_problems
from collector.plugins.typed_options import typed_value
from rule_editor.widgets.combo_box import ComboBox
from rule_editor.widgets.field_names import name_field
from studio.widgets.controls import Label, surface

_WIDTH = 360
COMMAND = "command"
"""The option that names a program."""


class ChoiceBoxes(QWidget):
    """A box to check for each choice of an option that takes several."""

    changed = Signal()

    def __init__(self, option: PluginOption) -> None:
        super().__init__()
        self.boxes = {choice: QCheckBox(option.title_of(choice)) for choice in option.choices}
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for box in self.boxes.values():
            column.addWidget(box)
            box.toggled.connect(self.changed)
        self.set_value(option.default or ())

    @property
    def value(self) -> list[str]:
        """The checked choices, in their order."""
        return [choice for choice, box in self.boxes.items() if box.isChecked()]

    def set_value(self, value: Iterable[str]) -> None:
        """Check these choices alone."""
        chosen = set(value)
        for choice, box in self.boxes.items():
            box.setChecked(choice in chosen)


def option_list(options: Iterable[PluginOption]) -> tuple[QScrollArea, dict[str, QWidget]]:
    """A list of options to scroll, each with its field; and the fields by name."""
    inner = surface("panel")
    grid = QGridLayout(inner)
    grid.setContentsMargins(0, 4, 8, 4)
    grid.setVerticalSpacing(6)
    grid.setColumnStretch(1, 1)
    fields: dict[str, QWidget] = {}
    for row, option in enumerate(options):
        field = fields[option.name] = option_field(option)
        name_field(field, option.shown_title)
        field.setToolTip(_(option.description))
        title = Label(option.shown_title, "body", "text-2")
        title.setToolTip(_(option.description))
        grid.addWidget(title, row, 0)
        grid.addWidget(field, row, 1)
    grid.setRowStretch(grid.rowCount(), 1)
    scroll = QScrollArea()
    scroll.setFrameShape(QFrame.Shape.NoFrame)
    scroll.setWidgetResizable(True)
    scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    scroll.setWidget(inner)
    return scroll, fields


def show_option(field: QWidget, value: Any) -> None:
    """Show a value that was given before in the field of its option."""
    if isinstance(field, QComboBox):
        field.setCurrentIndex(max(0, field.findData(value)))
    elif isinstance(field, QCheckBox):
        field.setChecked(bool(value))
    elif isinstance(field, ChoiceBoxes):
        field.set_value(value or ())
    elif isinstance(field, QLineEdit):
        field.setText(value if isinstance(value, str) else _typed(value))


def entered_options(
    kind: KindWithOptions, fields: Mapping[str, QWidget]
) -> tuple[dict[str, Any] | None, str]:  # fmt: skip
    """The values that differ from the defaults; None and why, in a sentence, where they cannot be used."""
    try:
        values = {option.name: option_value(option, fields[option.name]) for option in kind.options}
    except UserError as error:
        return None, str(error)
    options = {name: value for name, value in values.items() if value is not None}
    problem = next(option_problems(kind, options), None)
    return (options, "") if problem is None else (None, problem.problem)


def _typed(value: Any) -> str:
    """A value as a person types it: YAML in one line."""
    text = yaml.safe_dump(value, default_flow_style=True, width=10_000, allow_unicode=True)
    return text.removesuffix("\n").removesuffix("\n...")


def option_field(option: PluginOption) -> QWidget:
    """A field that shows the default until something is entered."""
    if option.choices and option.type is list:
        return ChoiceBoxes(option)
    if option.choices:
        field = ComboBox()
        field.addItem(_default_of(option) or _("not set"), "")
        for choice in option.choices:
            if choice != option.default:
                field.addItem(option.title_of(choice), choice)
        return field
    if option.type is bool:
        box = QCheckBox()
        box.setChecked(bool(option.default))
        return box
    line = QLineEdit()
    line.setPlaceholderText(option_hint(option))
    line.setMinimumWidth(_WIDTH)
    return line


def option_hint(option: PluginOption) -> str:
    """What an empty field says."""
    if option.name == COMMAND:
        return "python3 agent.py"
    return _default_of(option) or _(option.description)


def _default_of(option: PluginOption) -> str:
    """The default in words; empty without one."""
    default = option.default
    if default in (None, "", [], {}):
        return ""
    if isinstance(default, float):
        default = f"{default:g}"
    return _("{value} by default", value=option.title_of(default) if option.choices else default)


def option_value(option: PluginOption, field: QWidget) -> Any:
    """The value that a field holds; None for the default. Raises UserError."""
    if isinstance(field, QComboBox):
        return field.currentData() or None
    if isinstance(field, QCheckBox):
        return field.isChecked() if field.isChecked() != bool(option.default) else None
    if isinstance(field, ChoiceBoxes):
        return field.value if field.value != list(option.default or ()) else None
    assert isinstance(field, QLineEdit)
    return typed_value(option, field.text().strip())
