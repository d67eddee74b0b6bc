"""Buttons keep their words at every width; those without room go into a menu, the usual ones last."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QWidget

from studio.commands.commander import Commander
from studio.commands.keys import KeyboardUse
from studio.commands.registry import Registry
from studio.widgets.commands.command_menu import CommandMenu
from studio.widgets.painting import key_width
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


def shown(toolbar) -> list[str]:
    return [name for name, button in toolbar.buttons.items() if not button.isHidden()]


def test_buttons_without_room_go_into_a_menu_and_those_that_stay_keep_their_words(toolbar, commander, qtbot):
    every = list(toolbar.buttons)
    often = [name for name in every if commander.registry[name].toolbar == "often"]
    assert len(often) == 5
    qtbot.waitUntil(lambda: shown(toolbar) == every)
    full = toolbar.row.sizeHint().width()
    toolbar.resize(full - 10, 44)
    qtbot.waitUntil(lambda: not toolbar.more.isHidden())
    assert [name for name in every if name not in shown(toolbar)] == ["variation.delete"]
    keys = sum(key_width(toolbar.buttons[name].key) for name in often)
    wide = sum(toolbar.buttons[name].width_with_key for name in often)
    toolbar.resize(wide + 132, 44)
    qtbot.waitUntil(lambda: shown(toolbar) == often)
    toolbar.resize(wide - keys + 80, 44)
    qtbot.waitUntil(lambda: toolbar.row.sizeHint().width() <= toolbar.width())
    assert shown(toolbar) == often
    assert all(toolbar.buttons[name].text() for name in often)
    commander.enter("rules")
    QTest.mouseClick(toolbar.more, Qt.MouseButton.LeftButton)
    menu = toolbar.window().findChild(CommandMenu)
    assert [action.data() for action in menu.actions()] == [name for name in every if name not in often]
    menu.close()
    toolbar.resize(300, 44)
    qtbot.waitUntil(lambda: toolbar.row.sizeHint().width() <= 300)
    assert shown(toolbar) == [name for name in often if name in shown(toolbar)]
    toolbar.resize(1600, 44)
    qtbot.waitUntil(lambda: shown(toolbar) == every)
    assert toolbar.more.isHidden()
    assert toolbar.row.sizeHint().width() == full


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


def test_a_divider_stands_between_buttons_alone(toolbar, qtbot):
    for name in toolbar.buttons:
        toolbar.set_shown(name, name.startswith("variation."))
    assert shown(toolbar) == ["variation.new", "variation.delete"]
    dividers = [child for child in toolbar.children() if type(child) is QFrame]
    assert dividers
    assert [divider for divider in dividers if not divider.isHidden()] == []
    qtbot.waitUntil(lambda: toolbar.buttons["variation.new"].x() == toolbar.row.contentsMargins().left())


@pytest.mark.parametrize("scope", ["rules", "record", "review"])
def test_a_toolbar_at_rest_is_laid_out_no_more(hosted, commander, qtbot, monkeypatch, scope):
    """A divider that was hidden and shown again at each layout asked for the next one, for ever."""
    fitted = []
    fit = Toolbar.event

    def event(self, event):
        if event.type() == QEvent.Type.LayoutRequest:
            fitted.append(self)
        return fit(self, event)

    monkeypatch.setattr(Toolbar, "event", event)
    for command in commander.registry.toolbar(scope):
        commander.handle(command.id, lambda: None)
    toolbar = hosted(Toolbar(commander, scope), 1600, 44)
    for width in (1600, 700):
        toolbar.resize(width, 44)
        qtbot.wait(50)
        fitted.clear()
        qtbot.wait(50)
        assert fitted == [], width


def test_a_button_asks_for_its_command_so_that_its_error_leaves_with_its_cause(toolbar):
    asked = []
    toolbar.command_asked.connect(asked.append)
    command, button = next(iter(toolbar.buttons.items()))
    button.setEnabled(True)
    button.click()
    assert asked == [command]
