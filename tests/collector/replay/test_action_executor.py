"""Each action as it reaches a phone."""

from __future__ import annotations

import threading
import time

import pytest

from collector.adb.keys import CODES
from collector.device.errors import CallCancelled
from collector.model import action as actions
from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction
from collector.replay.action_executor import ActionRefused
from collector.replay.device_executor import device_executor
from tests.helpers.dumps import node
from tests.helpers.fake_phone import SCREEN, FakePhone
from tests.helpers.shell_device import shell_device

DOWN, MOVE, UP, CANCEL = TouchAction.DOWN, TouchAction.MOVE, TouchAction.UP, TouchAction.CANCEL


@pytest.fixture
def phone():
    return FakePhone({"Main": (node(),)}, "Main", max_pointers=10)


def do(phone, action, **more):
    device_executor(phone, phone, threading.Event()).do(action, SCREEN, **more)
    return phone.touched


def test_a_finger_goes_down_and_up_in_one_place_and_stays_as_long_as_it_did(phone):
    began = time.monotonic()
    assert do(phone, actions.LongPress(10, 20, 200)) == [(DOWN, 0, Point(10, 20)), (UP, 0, Point(10, 20))]
    assert time.monotonic() - began >= 0.2
    phone.touched.clear()
    assert [kind for kind, _pointer, _point in do(phone, actions.DoubleTap(1, 2))] == [DOWN, UP, DOWN, UP]


def test_a_swipe_goes_its_recorded_way_and_a_plain_one_straight(phone):
    path = ((0, 5, 5), (20, 9, 30), (40, 5, 60))
    drawn = do(phone, actions.Swipe(5, 5, 5, 60, 40, path))
    assert [point for _kind, _pointer, point in drawn] == [
        Point(5, 5),
        Point(9, 30),
        Point(5, 60),
        Point(5, 60),
    ]
    phone.touched.clear()
    straight = do(phone, actions.Swipe(0, 0, 100, 0, 64))
    assert [point.x for _kind, _pointer, point in straight] == [0, 25, 50, 75, 100, 100]
    assert [kind for kind, *_rest in straight] == [DOWN, MOVE, MOVE, MOVE, MOVE, UP]


def test_a_drag_without_a_recorded_way_lies_still_before_it_moves(phone):
    began = time.monotonic()
    drawn = do(phone, actions.Drag(0, 0, 0, 90, 16))
    assert time.monotonic() - began >= 0.6
    assert drawn[-1] == (UP, 0, Point(0, 90))


def test_a_pinch_needs_two_fingers(phone):
    drawn = do(phone, actions.Pinch(500, 500, 2.0, 32))
    first, last = drawn[:2], drawn[-2:]
    assert [(kind, pointer) for kind, pointer, _point in (*first, *last)] == [
        (DOWN, 0),
        (DOWN, 1),
        (UP, 0),
        (UP, 1),
    ]
    assert last[1][2].x - last[0][2].x == 2 * (first[1][2].x - first[0][2].x)
    phone.max_pointers = 1
    with pytest.raises(ActionRefused, match="takes 2 fingers"):
        do(phone, actions.Pinch(500, 500))


def test_text_goes_in_after_what_was_erased(phone):
    do(phone, actions.Type("海报", 2), erase=2)
    assert (phone.keys, phone.typed) == ([CODES["DEL"]] * 2, ["海报"])


def test_keys_apps_scrolls_and_what_is_only_said(phone):
    do(phone, actions.Key("recents"))
    do(phone, actions.Key("code:82"))
    assert phone.keys == [CODES["APP_SWITCH"], 82]
    do(phone, actions.Scroll(5, 5, "down"))
    assert phone.scrolled == [(0, -3)]
    do(phone, actions.OpenApp("com.example.shop"))
    assert phone.commands[-1].endswith("-n com.example.shop/.Main")
    for action in (actions.Answer("42"), actions.Complete(), actions.Impossible(), actions.Wait(1)):
        assert not do(phone, action)
    with pytest.raises(ActionRefused, match=r"^An invalid action cannot be replayed: no such word\.?$"):
        do(phone, actions.Invalid("dance", actions.HALLUCINATED, "no such word"))
    with pytest.raises(ActionRefused, match="nothing was done"):
        do(phone, actions.Invalid("?"))
    with pytest.raises(ActionRefused, match="key"):
        do(phone, actions.Key("no such key"))
    with pytest.raises(ActionRefused, match="cannot be opened"):
        do(phone, actions.OpenApp("no package; reboot"))


def test_an_app_with_a_name_alone_is_opened_by_its_package_or_refused_in_a_sentence():
    with shell_device("settings", "todo", "shop") as device:
        executor = device_executor(device, FakePhone({}, ""), threading.Event())
        done = executor.do(actions.OpenApp(name="settings"), SCREEN)
        assert done == actions.OpenApp("com.android.settings", "settings")
        assert device.phone.focused.package == "com.android.settings"
        with pytest.raises(ActionRefused, match=r"no app Spotify; .*Shop \(com\.waymark\.shop\)"):
            executor.do(actions.OpenApp(name="Spotify"), SCREEN)
        with pytest.raises(ActionRefused, match="has no name"):
            executor.do(actions.OpenApp(), SCREEN)
        with pytest.raises(ActionRefused, match=r"no app org\.nobody"):
            executor.do(actions.OpenApp("org.nobody", "Shop"), SCREEN)
        assert (
            executor.do(actions.OpenApp("com.waymark.shop", "Settings"), SCREEN).package == "com.waymark.shop"
        )
        asked = [line for line in device.ran if "query-activities" in line]
        assert len(asked) == 1  # the apps are read once


def test_a_gesture_given_up_lifts_the_finger_without_doing_anything(phone):
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(CallCancelled):
        device_executor(phone, phone, cancel).do(actions.LongPress(1, 1, 60_000), SCREEN)
    assert [kind for kind, *_rest in phone.touched] == [DOWN, CANCEL]


@pytest.mark.parametrize("duration", [10**12, 10**400], ids=["years", "more-than-a-float-holds"])
def test_a_time_that_never_ends_is_an_hour_and_can_be_cancelled(phone, duration):
    cancel = threading.Event()
    cancel.set()
    executor = device_executor(phone, phone, cancel)
    for action in (
        actions.Wait(duration), actions.LongPress(1, 1, duration), actions.Swipe(1, 2, 3, 4, duration),
        actions.Drag(1, 2, 3, 4, duration),
    ):  # fmt: skip
        with pytest.raises(CallCancelled):
            executor.do(action, SCREEN)
