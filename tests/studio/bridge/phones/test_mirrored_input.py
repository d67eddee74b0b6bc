"""Input of the phone in front goes to the other phones, in order, where it has a place there."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal

from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from studio.bridge.phones import mirrored_input, mirrored_phone
from studio.bridge.phones.mirrored_input import MirroredInput
from studio.bridge.phones.mirrored_phone import MirroredPhone
from studio.bridge.phones.phone_links import PhoneLinks
from tests.helpers.dumps import hierarchy, node

DOWN, UP = TouchAction.DOWN, TouchAction.UP
SMALL, LARGE = Size(360, 800), Size(720, 1600)


class SeenPhone(QObject):
    """A link whose phone shows one button; it writes down what it is sent."""

    def __init__(self, serial):
        super().__init__()
        self.serial, self.busy, self.is_live, self.tree_is_fresh = serial, "", True, True
        self.sent, self.refreshed = [], 0
        size = SMALL if serial == "front" else LARGE
        self.screen = SimpleNamespace(screen_size=size, newest_tree=lambda: self.snapshot)
        self.show("Cart" if serial == "front" else "购物车")

    def show(self, words, name="cart", package="com.example.shop"):
        width, height = self.screen.screen_size.width, self.screen.screen_size.height
        inner = node(
            text=words, clickable="true", resource_id=f"{package}:id/{name}", package=package,
            bounds=f"[{width // 2},0][{width},{height // 8}]",
        )  # fmt: skip
        xml = hierarchy(node(inner, bounds=f"[0,0][{width},{height}]", package=package))
        self.snapshot = SimpleNamespace(tree=parse_tree(xml.encode()))

    def start(self): ...

    def close(self): ...

    def changed_after(self, _time_ns):
        return True

    def refresh_tree(self):
        self.refreshed += 1

    def touch(self, action, _pointer, position):
        self.sent.append((action, position.point))

    def scroll(self, position, _horizontal, vertical):
        self.sent.append((vertical, position.point))

    def key(self, name, held_ms=0):
        self.sent.append(name)

    def text(self, text):
        self.sent.append(text)


class Phones(QObject):
    """The phones of a window, without adb."""

    current_changed = Signal(object)

    def __init__(self):
        super().__init__()
        self.links = PhoneLinks(SeenPhone, self)

    @property
    def current(self):
        return self.links.current


@pytest.fixture
def devices(qapp):
    devices = Phones()
    devices.links.use("other")
    devices.links.use("front", beside=True)
    yield devices
    devices.links.close()


@pytest.fixture
def mirrored(devices, monkeypatch):
    for name in ("REACT_S", "LONGEST_REACTION_S", "PATIENCE_S"):
        monkeypatch.setattr(mirrored_phone, name, 0.02)
    monkeypatch.setattr(mirrored_input, "TWICE_MS", 100)
    mirrored = MirroredInput(devices, SimpleNamespace(target_for=lambda link: link), devices)
    mirrored.switch(True)
    yield mirrored
    mirrored.switch(False)


@pytest.fixture
def other(devices, mirrored):
    return devices.links.link("other")


def tap(mirrored, x, y):
    mirrored.touch(DOWN, 0, Position(Point(x, y), SMALL))
    mirrored.touch(UP, 0, Position(Point(x, y), SMALL))


def test_it_is_off_until_somebody_switches_it_on_and_off_again_with_other_phones(devices, qtbot):
    mirrored = MirroredInput(devices, SimpleNamespace(target_for=lambda link: link), devices)
    assert (mirrored.is_on, mirrored.count, mirrored.others) == (False, 0, ())
    mirrored.text("a")
    mirrored.switch(True)
    assert mirrored.count == 2
    assert devices.links.link("other").sent == [], "also a phone that is not shown gets its link"
    with qtbot.waitSignal(mirrored.ended):
        devices.links.use("third", beside=True)
    assert not mirrored.is_on
    assert devices.links.link("other") is None
    devices.links.remove("third")
    devices.links.remove("other")
    mirrored.switch(True)
    assert not mirrored.is_on, "one phone has nobody to mirror to"


def test_a_tap_lands_on_the_same_node_of_the_other_phone_before_what_comes_after_it(mirrored, other, qtbot):
    tap(mirrored, 270, 50)
    mirrored.text("mug")
    mirrored.key("enter")
    qtbot.waitUntil(lambda: len(other.sent) == 4)
    assert other.sent == [(DOWN, Point(540, 100)), (UP, Point(540, 100)), "mug", "enter"]
    mirrored.scroll(Position(Point(36, 80), SMALL), 0, -1)
    qtbot.waitUntil(lambda: other.sent[-1] == (-1, Point(72, 160)))


def test_an_act_waits_until_the_tree_is_of_the_screen_that_is_shown(mirrored, other, qtbot):
    other.tree_is_fresh = False
    tap(mirrored, 270, 50)
    qtbot.waitUntil(lambda: other.refreshed == 1)
    assert other.sent == []
    other.show("购物车")
    other.tree_is_fresh = True
    qtbot.waitUntil(lambda: len(other.sent) == 2)


def test_a_touch_waits_for_the_screen_on_which_it_has_a_place(mirrored, other, monkeypatch, qtbot):
    monkeypatch.setattr(mirrored_phone, "PATIENCE_S", 20)
    other.show("Starting", "splash")
    tap(mirrored, 270, 50)
    qtbot.waitUntil(lambda: other.refreshed == 1)
    assert (other.sent, mirrored.problem("other")) == ([], "")
    other.show("购物车")
    qtbot.waitUntil(lambda: len(other.sent) == 2)


class Clock:
    """The module ``time`` of the mirroring, which stands still until a test moves it."""

    def __init__(self):
        self.now_s = 1000.0

    def monotonic(self):
        return self.now_s

    def monotonic_ns(self):
        return round(self.now_s * 1e9)


def test_two_quick_taps_are_sent_as_one_gesture_at_the_pace_of_the_person(
    mirrored, other, monkeypatch, qtbot
):
    clock = Clock()
    monkeypatch.setattr(mirrored_input, "time", clock)
    monkeypatch.setattr(mirrored_phone, "time", clock)
    tap(mirrored, 270, 50)
    clock.now_s += 0.06
    tap(mirrored, 270, 50)
    actions = [(action, Point(540, 100)) for action in (DOWN, UP, DOWN, UP)]
    qtbot.waitUntil(lambda: other.sent == actions[:2])
    clock.now_s += 0.05
    mirrored.findChild(MirroredPhone).look()
    assert other.sent == actions[:2]
    clock.now_s += 0.02
    qtbot.waitUntil(lambda: other.sent == actions)


def test_what_has_no_place_there_is_said_there_and_not_sent(mirrored, other, qtbot):
    other.show("Pay", "pay")
    tap(mirrored, 270, 50)
    qtbot.waitUntil(lambda: bool(mirrored.problem("other")))
    assert "'Cart' is not on its screen" in mirrored.problem("other")
    assert other.sent == []
    mirrored.key("back")  # has a place everywhere
    qtbot.waitUntil(lambda: not mirrored.problem("other"))
    other.busy = "The phone is being reset"
    mirrored.text("a")
    assert "The phone is being reset" in mirrored.problem("other")
    other.busy, other.is_live = "", False
    mirrored.text("b")
    assert "The phone is gone" in mirrored.problem("other")
    assert other.sent == ["back"]


def test_a_phone_that_comes_to_the_front_gets_its_input_from_the_person_alone(devices, mirrored, other):
    devices.links.use("other")
    mirrored.text("a")
    assert other.sent == []
    assert devices.links.link("front").sent == ["a"]
    other.busy = "in use"
    mirrored.text("b")  # the phone in front refuses it
    assert devices.links.link("front").sent == ["a"]
