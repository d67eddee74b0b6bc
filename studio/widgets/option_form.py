"""Fields for the options of a kind of agent or judge, as it declares them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QFrame, QGridLayout, QLineEdit, QScrollArea, QWidget

from collector.model.errors import UserError
from collector.model.i18n import _
from collector.plugins.options import KindWithOptions, PluginOption, option_problems
from collector.plugins.typed_options import typed_value
from rule_editor.widgets.field_names import name_field
from studio.widgets.controls import Label, surface

_WIDTH = 360
COMMAND = "command"
"""The option that names a program."""


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
        name_field(field, option.name)
        field.setToolTip(_(option.description))
        title = Label(option.name, "body", "text-2")
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
    if option.choices and option.type is not list:
        field = QComboBox()
        field.addItem(_default_of(option) or _("not set"), "")
        for choice in option.choices:
            field.addItem(choice, choice)
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
    return _("{value} by default", value=f"{default:g}" if isinstance(default, float) else default)


def option_value(option: PluginOption, field: QWidget) -> Any:
    """The value that a field holds; None for the default. Raises UserError."""
    if isinstance(field, QComboBox):
        return field.currentData() or None
    if isinstance(field, QCheckBox):
        return field.isChecked() if field.isChecked() != bool(option.default) else None
    assert isinstance(field, QLineEdit)
    return typed_value(option, field.text().strip())
