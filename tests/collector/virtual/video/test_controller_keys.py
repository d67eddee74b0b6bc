"""Keys that a scrcpy client presses and does not release, as when Alt goes before H in Alt+H."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from collector.adb.keys import CODES
from collector.adb.scrcpy.control import InjectKey, UhidCreate, UhidInput
from collector.adb.scrcpy.version import ScrcpyVersion
from collector.model.phone.touch import TouchAction
from collector.virtual.system.input.keys import Keys
from collector.virtual.video.controller import Controller
from tests.helpers.virtual import virtual_device

DOWN, UP = 0, 1
HOME, TODO, LAUNCHER = CODES["HOME"], "com.waymark.todo", "com.waymark.launcher"


@pytest.fixture
def phone():
    with virtual_device("todo") as device:
        device.phone.launch(TODO)
        yield device.phone


@pytest.fixture
def controller(phone):
    controller = Controller(
        phone, ScrcpyVersion.parse("3.3.4"), None, None, None, lambda _: None, autosync=False
    )
    yield controller
    controller.release()


def press(controller: Controller, action: int, *, repeat: int = 0) -> None:
    controller.handle(InjectKey(action, HOME, repeat, 0))


def test_home_that_lost_its_release_works_the_next_time(phone, controller):
    press(controller, DOWN)
    press(controller, DOWN)
    press(controller, UP)
    assert phone.focused.package == LAUNCHER


def test_a_long_press_that_was_never_released_does_not_swallow_the_next_press():
    done, timers = [], []
    ticker = SimpleNamespace(
        after=lambda _seconds, act: timers.append(act) or len(timers), cancel=lambda _timer: None
    )
    settings = SimpleNamespace(get=lambda *_name: "400")
    state = SimpleNamespace(awake=True, settings=settings, ticker=ticker)
    typist = SimpleNamespace(key=lambda code, _meta: done.append(code), is_wanted=lambda _code: False)
    keys = Keys(state, typist)
    keys.down(HOME, 0)
    timers.pop()()
    keys.cancel(HOME)  # the client presses it again
    keys.down(HOME, 0)
    keys.up(HOME, 0)
    assert done == [HOME]


def test_a_repeated_press_is_still_one(phone, controller):
    press(controller, DOWN)
    press(controller, DOWN, repeat=1)
    assert phone.focused.package == TODO
    press(controller, UP)
    assert phone.focused.package == LAUNCHER


def test_a_key_that_is_held_when_the_client_goes_is_let_go_and_does_nothing(phone, controller):
    press(controller, DOWN)
    controller.release()
    phone.key(HOME, False)
    assert phone.focused.package == TODO, "the key was not pressed any more"


def test_a_key_of_a_keyboard_that_is_unplugged_is_let_go_and_does_nothing(phone, controller):
    done = []
    phone.key = lambda code, down, _meta: done.append((code, down))
    phone.cancel_key = lambda code: done.append((code, "cancelled"))
    controller.handle(UhidCreate(1, "keyboard", b"\x05\x01\x09\x06"))
    controller.handle(UhidInput(1, bytes((0, 0, 4, 0, 0, 0, 0, 0))))
    controller.release()
    assert done == [(CODES["A"], True), (CODES["A"], "cancelled")]


def test_a_drag_of_a_mouse_that_is_unplugged_ends(phone, controller):
    touches = []
    phone.touch = lambda action, *_place: touches.append(action)
    controller.handle(UhidCreate(1, "mouse", b"\x05\x01\x09\x02"))
    controller.handle(UhidInput(1, bytes((1, 0, 0, 0))))
    controller.release()
    assert touches == [TouchAction.DOWN, TouchAction.CANCEL]
