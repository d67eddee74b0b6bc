"""Buttons show the key that works now in every width; in a narrow toolbar their texts give way."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from studio.commands.commander import Commander
from studio.commands.keys import KeyboardUse
from studio.commands.registry import Registry
from studio.widgets.command_menu import CommandMenu
from studio.widgets.window_frame.toolbar import Toolbar

# The plugin without a screen says so of every menu.
pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", "raise", extend=True)


@pytest.fixture
def commander():
    return Commander(Registry())


@pytest.fixture
def toolbar(dressed, commander, qtbot):
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


def texts(toolbar) -> list[bool]:
    return [not button.is_compact for button in toolbar.buttons.values()]


def test_texts_go_from_the_right_when_the_buttons_do_not_fit_and_come_back(toolbar, commander, qtbot) -> None:
    qtbot.waitUntil(lambda: all(texts(toolbar)))
    full = toolbar.row.sizeHint().width()
    toolbar.resize(full - 10, 44)
    qtbot.waitUntil(lambda: texts(toolbar) == [True] * (len(toolbar.buttons) - 1) + [False])
    toolbar.resize(full - sum(button.label_width for button in toolbar.buttons.values()) + 4, 44)
    qtbot.waitUntil(lambda: not any(texts(toolbar)))
    assert all(button.key for button in toolbar.buttons.values())
    toolbar.resize(300, 44)
    qtbot.waitUntil(lambda: toolbar.row.sizeHint().width() <= 300)
    put_away = [name for name, button in toolbar.buttons.items() if button.isHidden()]
    assert put_away == list(toolbar.buttons)[-len(put_away) :]
    assert all(button.key for button in toolbar.buttons.values())
    commander.enter("rules")
    QTest.mouseClick(toolbar.more, Qt.MouseButton.LeftButton)
    menu = toolbar.findChild(CommandMenu)
    assert [action.data() for action in menu.actions()] == put_away
    menu.close()
    toolbar.keep_text("rules.new", True)
    assert not toolbar.buttons["rules.new"].is_compact
    toolbar.keep_text("rules.new", False)
    toolbar.resize(1600, 44)
    qtbot.waitUntil(lambda: all(texts(toolbar)))
    assert not any(button.isHidden() for button in toolbar.buttons.values())
    assert toolbar.more.isHidden()


def test_buttons_show_the_key_that_works_where_the_keyboard_is(toolbar, commander) -> None:
    new = toolbar.buttons["rules.new"]
    place = toolbar.buttons["rules.backtest"].geometry()
    assert new.key == "N"
    commander.set_keyboard(KeyboardUse(types=True))
    assert new.key == commander.registry.anywhere_keys("rules.new")[0]
    assert toolbar.buttons["rules.fix"].key == "Ctrl+."
    toolbar.layout().activate()
    assert toolbar.buttons["rules.backtest"].geometry() == place  # no button moves under the mouse
    commander.registry.bind({"rules.new": ["Ctrl+J"]})
    commander.changed.emit(None)
    assert new.key == "Ctrl+J"
    assert "Ctrl+J" in new.toolTip()
