"""The shell commands of a native anomaly for one range of Android versions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.widgets.anomaly_form.diagnostic_list import DiagnosticList
from rule_editor.widgets.form_inputs import LineInput, TextInput, add_row, grid
from rule_editor.widgets.toolkit import Toolkit

_REMEMBERED = re.compile(r"\s*([A-Za-z_]\w*)\s*:\s*(.+?)\s*")
_CHECKED = re.compile(r"\s*(.+?)\s+=>(once)?\s+(.*?)\s*")
_PATTERN = re.compile(r"(.+?)\s+=~\s+(.*)")


def lines_of(key: str, value: Any) -> list[str]:
    """The commands, remembered values or checks under ``key``, one on each line."""
    if key == "remember" and isinstance(value, dict):
        return [f"{name}: {_remembered(item)}" for name, item in value.items()]
    if key == "verify" and isinstance(value, list):
        checks = [item for item in value if isinstance(item, dict)]
        return [f"{check.get('command', '')} {_arrow(check)} {check.get('expect', '')}" for check in checks]
    return [str(item) for item in value] if isinstance(value, list) else []


def _arrow(check: Mapping[str, Any]) -> str:
    """The sign between a command and its expected output; ``once`` checks it a single time."""
    return "=>once" if check.get("once") is True else "=>"


def _remembered(value: Any) -> str:
    if isinstance(value, dict):
        pattern, command = value.get("pattern"), str(value.get("command", ""))
        return f"{command} =~ {pattern}" if pattern else command
    return str(value)


def value_of_lines(key: str, lines: Sequence[str]) -> Any:
    """The plain value of the lines for the file; None when one of them cannot be parsed."""
    lines = [line.strip() for line in lines if line.strip()]
    if key == "remember":
        matches = [_REMEMBERED.fullmatch(line) for line in lines]
        return {match[1]: _with_pattern(match[2]) for match in matches if match} if all(matches) else None
    if key == "verify":
        checks = [_CHECKED.fullmatch(line) for line in lines]
        return [_check(check) for check in checks if check] if all(checks) else None
    return list(lines)


def _check(match: re.Match[str]) -> dict[str, Any]:
    check: dict[str, Any] = {"command": match[1], "expect": match[3]}
    return check | {"once": True} if match[2] else check


def _with_pattern(text: str) -> Any:
    match = _PATTERN.fullmatch(text)
    return {"command": match[1], "pattern": match[2]} if match else text


class CommandsBox(QFrame):
    """The commands of one range; emits ``edit_wanted(patch)``. Unknown keys of the text stay."""

    edit_wanted = Signal(object)

    def __init__(self, toolkit: Toolkit, index: int) -> None:
        super().__init__()
        self._toolkit, self._index = toolkit, index
        self._plain: Mapping[str, Any] = {}
        self.android = LineInput(_("Android versions"), code=True)
        self.android.setPlaceholderText("12+, 8-11, 10")
        self.parts = {
            "apply": TextInput(_("Commands that make the change"), 1, code=True),
            "undo": TextInput(_("Commands that undo it"), 1, code=True),
            "remember": TextInput(_("What is read before the change"), 1, code=True),
            "verify": TextInput(_("What shows that the change is made"), 1, code=True),
        }
        self.parts["remember"].setPlaceholderText(_("name: command"))
        self.parts["verify"].setPlaceholderText(_("command => what it prints"))
        self.diagnostics = DiagnosticList(toolkit)
        self._lay_out()
        self.android.edited.connect(self._android_edited)
        for key, field in self.parts.items():
            field.edited.connect(partial(self._lines_edited, key))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(self._toolkit.label(_("Commands"), "heading"))
        head.addStretch(1)
        remove = self._toolkit.button("", "x", small=True)
        remove.setToolTip(_("Remove the commands for these versions"))
        remove.setAccessibleName(_("Remove the commands for these versions"))
        remove.clicked.connect(self._remove)
        head.addWidget(remove)
        self.tab_stops: list[QWidget] = [remove, self.android, *self.parts.values()]
        """The widgets in tab order."""
        column.addLayout(head)
        fields = grid()
        add_row(self._toolkit, fields, _("Android"), self.android)
        titles = {
            "apply": _("Apply"), "undo": _("Undo"), "remember": _("Remember"), "verify": _("Verify"),
        }  # fmt: skip
        for key, field in self.parts.items():
            add_row(self._toolkit, fields, titles[key], field)
        column.addLayout(fields)
        column.addWidget(self.diagnostics)

    def show_commands(self, plain: Mapping[str, Any]) -> None:
        """Show the plain value of a range."""
        self._plain = plain
        self.android.show_text(str(plain.get("android", "")))
        for key, field in self.parts.items():
            field.show_text("\n".join(lines_of(key, plain.get(key))))

    def show_diagnostics(self, diagnostics: Sequence[Diagnostic]) -> None:
        """Show the diagnostics of these commands."""
        self.diagnostics.show_diagnostics(diagnostics)

    def _lines_edited(self, key: str, text: str) -> None:
        value = value_of_lines(key, text.splitlines())
        if value is None:
            self.parts[key].show_text("\n".join(lines_of(key, self._plain.get(key))))
        else:
            self._ask(key, value)

    def _android_edited(self, text: str) -> None:
        self._ask("android", text.strip())

    def _ask(self, key: str, value: Any) -> None:
        index = self._index
        self.edit_wanted.emit(lambda patch: edits.set_range_key(patch, index, key, value))

    def _remove(self) -> None:
        index = self._index
        self.edit_wanted.emit(lambda patch: edits.remove_range(patch, index))
