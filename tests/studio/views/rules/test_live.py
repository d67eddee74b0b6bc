"""The phone as it is now on the screen of the Rules workspace: watched, touched, read again."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from PySide6.QtCore import QObject, Signal

from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Point, Position, Size
from collector.model.phone.touch import TouchAction
from studio.views.conditions.screen_pane import ScreenPane
from studio.views.rules.live import LiveScreen
from studio.widgets.device_view.events import PointerEvent, ScrollEvent
from tests.helpers.rule_room import SHOP, SIZE, home_screen, results_screen


def snapshot(data: bytes) -> TreeSnapshot:
    return TreeSnapshot(data, parse_tree(data), 0, 0, "uiautomator", SHOP, ".Main", "")


class FakeLink(QObject):
    """A phone that notes what is asked of it."""

    frame_ready = Signal()
    tree_changed = Signal(object)

    def __init__(self, name: str = "Pixel") -> None:
        super().__init__()
        self.name = name
        self.asked: list[str] = []
        self.screen = SimpleNamespace(
            secure=False,
            newest_tree=lambda: snapshot(home_screen()),
            newest_frame=lambda: None,
            screen_size=SIZE,
        )

    def take_frame(self) -> None:
        return None

    def __getattr__(self, name: str):
        if name in ("set_view_size", "refresh_tree", "touch", "scroll", "key", "text"):
            return lambda *_given: self.asked.append(name)
        raise AttributeError(name)


@pytest.fixture
def live(dressed, qtbot):
    pane = ScreenPane()
    qtbot.addWidget(pane)
    screen = LiveScreen(pane, pane)
    screen.pane, screen.states = pane, [None]
    pane.state_shown.connect(lambda state, _source: screen.states.append(state))
    yield screen
    screen.close()


@pytest.fixture
def shown(live):
    live.set_phone(FakeLink())
    live.show()
    return live


def test_the_phone_is_shown_with_its_newest_tree_and_read_again(shown) -> None:
    assert shown.is_shown
    assert shown.pane.is_live
    assert [node.text for node in shown.states[-1].nodes if node.text] == ["Shop", "Chat", "Cart (0)"]
    assert "refresh_tree" in shown.phone.asked


def test_another_tree_is_told_and_judged(shown, qtbot) -> None:
    with qtbot.waitSignal(shown.pane.state_shown):
        shown.phone.tree_changed.emit(snapshot(results_screen()))
    assert any(node.text == "Sort" for node in shown.states[-1].nodes)
    assert shown.states[-1].package == SHOP


def test_a_dump_that_failed_leaves_the_screen_as_it_was(shown, qtbot) -> None:
    before = shown.states[-1]
    shown.phone.tree_changed.emit(TreeSnapshot(b"", None, 0, 0, "uiautomator", "", "", "busy"))
    assert shown.states[-1] is before


def test_what_is_done_on_the_screen_goes_to_the_phone(shown, qtbot) -> None:
    view, at = shown.pane.view, Position(Point(3, 4), SIZE)
    shown.phone.asked.clear()
    for action in (TouchAction.DOWN, TouchAction.UP):
        view.pointer.emit(PointerEvent(action, 0, at, 0))
    view.scrolled.emit(ScrollEvent(at, 0, 1, 0))
    view.key_pressed.emit("BACK")
    view.text_committed.emit("hi")
    assert shown.phone.asked == ["touch", "touch", "scroll", "key", "text"]
    qtbot.waitUntil(lambda: "refresh_tree" in shown.phone.asked)


def test_while_a_recorded_state_is_shown_the_phone_is_left_alone(live) -> None:
    live.set_phone(FakeLink())
    live.pane.view.text_committed.emit("hi")
    live.pane.view.view_size_wanted.emit(Size(100, 200))
    live.refresh()
    assert live.phone.asked == []
    assert not live.is_shown


def test_when_the_phone_goes_the_screen_is_empty_and_the_next_one_takes_its_place(shown) -> None:
    first = shown.phone
    shown.set_phone(None)
    assert shown.states[-1] is None
    shown.set_phone(FakeLink("Other"))
    assert shown.is_shown
    state = shown.states[-1]
    first.tree_changed.emit(snapshot(results_screen()))
    assert shown.states[-1] is state
