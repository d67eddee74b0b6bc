"""Screens of recorded states are loaded from the disk."""

from __future__ import annotations

from collector.store.reader import open_trajectory
from studio.views.stored_screens import StoredScreens


def test_a_state_without_a_screenshot_still_shows_its_tree(runner, folder, qtbot):
    screens = StoredScreens(runner)
    stored = open_trajectory(folder)
    screens.open(stored.header.id, folder)
    with qtbot.waitSignal(screens.arrived) as arrived:
        screens.request(stored.steps[0])
    step, screen = arrived.args
    assert step is stored.steps[0]
    assert screen.image.isNull()
    assert len(screen.tree) >= 1
