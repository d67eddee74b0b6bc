"""The sheet of keys that work in this workspace, opened with ``?``."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QVBoxLayout, QWidget

from collector.model.words import _
from studio.commands.command import Command
from studio.commands.commander import Commander
from studio.widgets.controls import Label
from studio.widgets.dialog import EdgedDialog

_WIDTH = 760


class ShortcutSheet(EdgedDialog):
    """Two columns: the keys of the workspace, and those that work everywhere."""

    def __init__(self, commander: Commander, parent: QWidget) -> None:
        super().__init__(parent)
        self._commander = commander
        self.setWindowTitle(_("Keys of this workspace"))
        body = QWidget()
        columns = QHBoxLayout(body)
        columns.setContentsMargins(20, 16, 20, 20)
        columns.setSpacing(40)
        by_scope: dict[str, list[Command]] = {}
        for command in commander.registry:
            if commander.reachable(command.id) and commander.registry.keys(command.id):
                by_scope.setdefault(command.scope_label, []).append(command)
        for title, commands in reversed(by_scope.items()):
            columns.addLayout(self._column(title, commands), 1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(1, 1, 1, 1)
        outer.addWidget(area)
        # As tall as its keys, and never taller than the window it is for.
        wanted = body.sizeHint()
        self.resize(
            max(_WIDTH, wanted.width() + 24), min(wanted.height() + 2, parent.window().height() - 120)
        )

    def _column(self, title: str, commands: list[Command]) -> QGridLayout:
        grid = QGridLayout()
        grid.setVerticalSpacing(8)
        grid.addWidget(Label(title, "heading"), 0, 0)
        for row, command in enumerate(commands, 1):
            grid.addWidget(Label(command.label, cut=True), row, 0)
            keys: QLabel = Label("  ".join(self._commander.registry.keys(command.id)), "code", "text-2")
            grid.addWidget(keys, row, 1, Qt.AlignmentFlag.AlignRight)
        grid.setRowStretch(len(commands) + 1, 1)
        grid.setColumnStretch(0, 1)
        return grid
