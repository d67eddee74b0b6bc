"""The table of workspaces alone decides what the rail, the menus, the palette and the keys offer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.model.resources import asset
from studio.app.main_window.window import MainWindow
from studio.app.main_window.workspaces import workspace_class
from studio.commands.command import SCOPES
from studio.commands.workspaces import AVAILABLE_WORKSPACES, WORKSPACES


@pytest.mark.parametrize("entry", AVAILABLE_WORKSPACES, ids=lambda entry: entry.id)
def test_each_row_names_its_widget_and_has_a_command_with_its_key(studio, entry):
    assert workspace_class(entry).scope == entry.id
    registry = studio.commander.registry
    assert registry.shown_keys(entry.command) == entry.key
    assert registry[entry.command].menu == "view/workspace"
    assert SCOPES[entry.id] == entry.title
    assert entry.key in studio.window.rail.items[entry.id].toolTip()


def test_each_row_has_an_icon_and_its_place_as_key():
    assert all(asset("icons", f"{entry.id}.svg").is_file() for entry in WORKSPACES)
    assert [entry.key for entry in WORKSPACES] == [
        f"Ctrl+{number}" for number in range(1, len(WORKSPACES) + 1)
    ]


def test_a_row_that_names_another_workspace_is_refused():
    project, record = AVAILABLE_WORKSPACES[:2]
    with pytest.raises(TypeError, match="scope 'project'"):
        workspace_class(replace(project, widget=record.widget))


def test_a_lazy_workspace_is_built_when_it_comes_to_the_front(studio):
    window: MainWindow = studio.window
    assert "rules" not in window.workspaces
    studio.commander.run("view.rules")
    assert window.current is window.workspaces["rules"]
