"""A recorded state whose picture cannot be shown: Rules and Record show its tree and say why."""

from __future__ import annotations

import pytest

from tests.helpers.hostile_pictures import HUGE, huge_png


@pytest.mark.all_workspaces
def test_a_state_with_a_huge_picture_is_shown_by_its_tree_alone(room):
    folder = room.folder / "trajectories/buy/buy-golden"
    (folder / "states/0001.png").write_bytes(huge_png())
    screen = room.workspace.screen_pane
    room.at(1)
    assert screen.view.notice[0] == "The picture cannot be shown"
    assert f"too large: {HUGE} pixels" in screen.view.notice[1]
    assert [node.text for node in screen.selection.tree if node.text] == ["Sort", "Filter", "Cart (0)"]
    room.at(2)
    assert screen.view.notice == ("", "")

    room.studio.commander.run("record.open-trajectory", folder=str(folder), step="1")
    mirror = room.studio.window.workspace("record").mirror
    room.until(lambda: mirror.view.notice[0] == "The picture cannot be shown")
    assert f"too large: {HUGE} pixels" in mirror.view.notice[1]
    assert room.toasts == []
