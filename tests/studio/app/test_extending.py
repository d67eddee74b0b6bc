"""The recipes of ``docs/extending.md`` for commands and workspaces work as they are written."""

from __future__ import annotations

import sys

import studio.commands.tables.project as project_table
import studio.commands.workspaces as workspace_table
from studio.app.main_window.workspaces import workspace_class
from studio.commands.commander import Commander
from studio.commands.registry import ALL_COMMANDS, Registry
from tests.helpers.extending import as_module, recipe


def test_a_command():
    row, handler = recipe("A command").files.values()
    command = eval(row, vars(project_table))
    registry = Registry((*ALL_COMMANDS, command), system="linux")
    assert registry.conflicts() == []
    assert registry.shown_keys(command.id) == "Ctrl+Shift+C"
    commander = Commander(registry)
    copied = []
    exec(handler, {"commander": commander, "copy_instruction": lambda: copied.append("it")})
    commander.enter("project")
    assert not commander.enabled(command.id)
    commander.set_context(task__selected=True)
    assert command.id in [listed.id for listed in commander.palette()]
    commander.run(command.id)
    assert copied == ["it"]


def test_a_workspace(studio, monkeypatch, request):
    row, module = recipe("A workspace").files.items()
    entry = eval(row[1].strip(), vars(workspace_table))
    monkeypatch.setattr(workspace_table, "WORKSPACES", (*workspace_table.WORKSPACES, entry))
    assert entry.key == "Ctrl+8"
    name = module[0].removesuffix(".py").replace("/", ".")
    as_module(name, module[1])
    request.addfinalizer(lambda: sys.modules.pop(name))
    widget = workspace_class(entry)(studio.window.services)
    try:
        widget.text.setPlainText("seen")
        assert widget.isAncestorOf(widget.text)
    finally:
        widget.deleteLater()
