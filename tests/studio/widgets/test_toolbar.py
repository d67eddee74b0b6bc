"""A narrow toolbar hides the shortcuts on its buttons."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QWidget

from studio.commands.commander import Commander
from studio.commands.registry import Registry
from studio.widgets.toolbar import Toolbar


@pytest.fixture
def toolbar(dressed, qtbot):
    commander = Commander(Registry())
    for command in commander.registry.toolbar("rules"):
        commander.handle(command.id, lambda: None)
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(1600, 44)
    built = Toolbar(commander, "rules", window)
    built.resize(1600, 44)
    window.show()
    yield built
    window.hide()  # keeps the window, and with it the toolbar, alive until the test ends


def keys(toolbar) -> set[bool]:
    return {bool(button.key) for button in toolbar.buttons.values()}


def test_the_keys_go_when_the_buttons_do_not_fit_and_come_back(toolbar, qtbot) -> None:
    qtbot.waitUntil(lambda: keys(toolbar) == {True})
    toolbar.resize(toolbar._row.sizeHint().width() - 10, 44)
    qtbot.waitUntil(lambda: keys(toolbar) == {False})
    toolbar.resize(1600, 44)
    qtbot.waitUntil(lambda: keys(toolbar) == {True})
