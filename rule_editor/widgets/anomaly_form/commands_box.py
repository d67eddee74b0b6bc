"""How a native anomaly is made and taken back: shell commands for a range of Android versions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from collector.located_yaml.diagnostics import Diagnostic
from collector.model.i18n import _
from rule_editor.document.anomalies import anomaly_edits as edits
from rule_editor.widgets.anomaly_form.diagnostic_list import DiagnosticList
from rule_editor.widgets.anomaly_form.inputs import LineInput, TextInput, add_row, grid
from rule_editor.widgets.kit import Kit

_REMEMBERED = re.compile(r"\s*([A-Za-z_]\w*)\s*:\s*(.+?)\s*")
_CHECKED = re.compile(r"\s*(.+?)\s+=>(once)?\s+(.*?)\s*")
_PATTERN = re.compile(r"(.+?)\s+=~\s+(.*)")


def lines_of(key: str, value: Any) -> list[str]:
    """A list of commands, what is remembered or what is checked, a line each."""
    if key == "remember" and isinstance(value, dict):
        return [f"{name}: {_read(one)}" for name, one in value.items()]
    if key == "verify" and isinstance(value, list):
        found = [one for one in value if isinstance(one, dict)]
        return [f"{one.get('command', '')} {_arrow(one)} {one.get('expect', '')}" for one in found]
    return [str(one) for one in value] if isinstance(value, list) else []


def _arrow(check: Mapping[str, Any]) -> str:
    """What stands between a command and what is expected of it: for good, or only once."""
    return "=>once" if check.get("once") is True else "=>"


def _read(one: Any) -> str:
    if isinstance(one, dict):
        pattern = one.get("pattern")
        return f"{one.get('command', '')} =~ {pattern}" if pattern else str(one.get("command", ""))
    return str(one)


def value_of_lines(key: str, lines: Sequence[str]) -> Any:
    """What the lines mean, as the file holds it; None when one of them means nothing."""
    lines = [line.strip() for line in lines if line.strip()]
    if key == "remember":
        named = [_REMEMBERED.fullmatch(line) for line in lines]
        return {one[1]: _with_pattern(one[2]) for one in named if one} if all(named) else None
    if key == "verify":
        checks = [_CHECKED.fullmatch(line) for line in lines]
        return [_check(check) for check in checks if check] if all(checks) else None
    return list(lines)


def _check(found: re.Match[str]) -> dict[str, Any]:
    check: dict[str, Any] = {"command": found[1], "expect": found[3]}
    return check | {"once": True} if found[2] else check


def _with_pattern(text: str) -> Any:
    found = _PATTERN.fullmatch(text)
    return {"command": found[1], "pattern": found[2]} if found else text


class CommandsBox(QFrame):
    """One range of versions; ``edit_wanted(change)``. Keys it does not know are left as they are."""

    edit_wanted = Signal(object)

    def __init__(self, kit: Kit, index: int) -> None:
        super().__init__()
        self._kit, self._index = kit, index
        self._plain: Mapping[str, Any] = {}
        self.android = LineInput(_("Android versions"), code=True)
        self.android.setPlaceholderText("12+, 8-11, 10")
        self.parts = {
            "apply": TextInput(_("Commands that make the change"), 1, code=True),
            "undo": TextInput(_("Commands that take it back"), 1, code=True),
            "remember": TextInput(_("What is read before the change"), 1, code=True),
            "verify": TextInput(_("What shows that the change is made"), 1, code=True),
        }
        self.parts["remember"].setPlaceholderText(_("name: command"))
        self.parts["verify"].setPlaceholderText(_("command => what it prints"))
        self.problems = DiagnosticList(kit)
        self._lay_out()
        self.android.edited.connect(lambda text: self._ask("android", text.strip()))
        for key, field in self.parts.items():
            field.edited.connect(lambda text, key=key: self._lines_edited(key, text))

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(8)
        head = QHBoxLayout()
        head.addWidget(self._kit.label(_("Commands"), "heading"))
        head.addStretch(1)
        remove = self._kit.button("", "x", small=True)
        remove.setToolTip(_("Remove the commands for these versions"))
        remove.setAccessibleName(_("Remove the commands for these versions"))
        remove.clicked.connect(self._remove)
        head.addWidget(remove)
        self.stops: list[QWidget] = [remove, self.android, *self.parts.values()]
        """Where Tab stops, in order."""
        column.addLayout(head)
        fields = grid()
        add_row(self._kit, fields, _("Android"), self.android)
        titles = {
            "apply": _("Apply"), "undo": _("Undo"), "remember": _("Remember"), "verify": _("Verify"),
        }  # fmt: skip
        for key, field in self.parts.items():
            add_row(self._kit, fields, titles[key], field)
        column.addLayout(fields)
        column.addWidget(self.problems)

    def show_commands(self, plain: Mapping[str, Any]) -> None:
        """Show a range as its file has it."""
        self._plain = plain
        self.android.show_text(str(plain.get("android", "")))
        for key, field in self.parts.items():
            field.show_text("\n".join(lines_of(key, plain.get(key))))

    def show_found(self, found: Sequence[Diagnostic]) -> None:
        """Show what is wrong with these commands."""
        self.problems.show_found(found)

    def _lines_edited(self, key: str, text: str) -> None:
        value = value_of_lines(key, text.splitlines())
        if value is None:
            self.parts[key].show_text("\n".join(lines_of(key, self._plain.get(key))))
        else:
            self._ask(key, value)

    def _ask(self, key: str, value: Any) -> None:
        index = self._index
        self.edit_wanted.emit(lambda piece: edits.set_range_key(piece, index, key, value))

    def _remove(self) -> None:
        index = self._index
        self.edit_wanted.emit(lambda piece: edits.remove_range(piece, index))
