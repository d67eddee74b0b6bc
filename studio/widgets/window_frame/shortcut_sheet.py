"""A sheet of the shortcuts that work in this workspace, opened with ``?``."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from collector.model.i18n import _
from studio.commands.command import Command
from studio.commands.commander import Commander
from studio.commands.keys import anywhere, printed, this_system
from studio.widgets.controls import Label, surface
from studio.widgets.dialogs.dialog import FramelessDialog
from studio.widgets.icon_button import IconButton
from studio.widgets.key_caps import KeyCaps

_ROW, _HEAD, _MOST_COLUMNS = 28, 48, 3
_MARGIN = 64
"""Free space of the window around the sheet."""
SheetEntry = str | Command
"""A heading, or a command with keys."""


class ShortcutSheet(FramelessDialog):
    """Shows the shortcuts of the workspace, then the global ones, in as many columns as they need."""

    def __init__(self, commander: Commander, parent: QWidget) -> None:
        super().__init__(parent)
        self._commander = commander
        self.setWindowTitle(_("Keys of this workspace"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        window = parent.window()
        room = window.height() - 2 * _MARGIN - _HEAD
        entries = self._entries()
        fitting = -(-len(entries) * _ROW // max(_ROW, room))
        count = max(2, min(_MOST_COLUMNS, fitting))
        body = self._body(entries, count)
        while count > 1 and body.sizeHint().width() > window.width() - _MARGIN:
            count -= 1
            body = self._body(entries, count)
        area = QScrollArea()
        area.setAccessibleName(_("Keys of this workspace"))
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.setSpacing(0)
        outer.addWidget(self._head())
        outer.addWidget(area)
        size = body.sizeHint()
        self.resize(size.width() + 12, _HEAD + min(size.height() + 4, room + _MARGIN))

    def _head(self) -> QFrame:
        head = surface("", "bottom")
        head.setFixedHeight(_HEAD)
        row = QHBoxLayout(head)
        row.setContentsMargins(20, 0, 10, 0)
        row.addWidget(Label(_("Keys of this workspace"), "instruction"))
        row.addStretch()
        row.addWidget(Label(self._hint(), "caption", "text-2"))
        row.addSpacing(16)
        row.addWidget(KeyCaps(("Esc",)))
        row.addWidget(Label(_("close"), "caption", "text-3"))
        close = IconButton("x", _("Close"))
        close.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Esc closes; the arrow keys scroll
        close.clicked.connect(self.reject)
        row.addWidget(close)
        return head

    @staticmethod
    def _hint() -> str:
        """How the keys that also type are pressed while somebody types."""
        chord = printed(anywhere("R", this_system()))
        return _("While you type, also on the phone, hold {modifier}: {chord} for R",
                 modifier=chord.partition("+")[0], chord=chord)  # fmt: skip

    def _entries(self) -> list[SheetEntry]:
        commander = self._commander
        by_scope: dict[str, list[Command]] = {}
        for command in commander.registry:
            if commander.reachable(command.id) and commander.registry.keys(command.id):
                by_scope.setdefault(command.scope_label, []).append(command)
        entries: list[SheetEntry] = []
        for title, commands in reversed(by_scope.items()):
            entries += [title, *commands]
        return entries

    def _body(self, entries: list[SheetEntry], count: int) -> QWidget:
        body = QWidget()
        row = QHBoxLayout(body)
        row.setContentsMargins(20, 12, 20, 16)
        row.setSpacing(36)
        for part in columns(entries, count):
            row.addLayout(self._column(part), 1)
        return body

    def _column(self, entries: list[SheetEntry]) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(0)
        grid.setHorizontalSpacing(24)
        for number, entry in enumerate(entries):
            grid.setRowMinimumHeight(number, _ROW)
            if isinstance(entry, str):
                grid.addWidget(Label(entry, "heading", "text-2"), number, 0)
                continue
            grid.addWidget(Label(entry.label), number, 0)
            caps = KeyCaps(tuple(map(printed, self._commander.registry.keys(entry.id))))
            grid.addWidget(caps, number, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        grid.setRowStretch(len(entries), 1)
        grid.setColumnStretch(0, 1)
        return grid


def columns(entries: list[SheetEntry], count: int) -> list[list[SheetEntry]]:
    """Split entries into columns of similar length; no column ends with a heading."""
    parts, start = [], 0
    for left in range(count, 0, -1):
        end = start - (-(len(entries) - start) // left)
        if end > start + 1 and isinstance(entries[end - 1], str):
            end -= 1
        parts.append(entries[start:end])
        start = end
    return [part for part in parts if part]
