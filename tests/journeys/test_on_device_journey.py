"""A person records with the phone in the hand: its glass, its keys and its keyboard."""

from __future__ import annotations

import io
import threading

import numpy as np
import pytest
from PIL import Image

from collector.model import action as actions
from collector.model.task import Task
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.on_device_touch import Hand

_TASK = Task("shop-14", "Sign in", "Shop", "com.waymark.shop")


@pytest.fixture
def holder(person, tmp_path):
    """Somebody who records and holds the phone."""
    person.open_project(tmp_path / "held", _TASK)
    person.take_phone()
    person.start()
    assert person.recording.front._live.on_device.listener.wait_ready(30)
    return person


def _hand(person):
    session = person.studio.devices.current.session
    return Hand(session.device, session.density)


def _ready(person, act):
    """Do something and wait for the next state, as a careful person does."""
    with person.qtbot.waitSignal(person.recording.next_ready, timeout=30_000):
        act()


def _keyboard(person):
    session = person.studio.devices.current.session
    person.until(lambda: session.keyboard is not None)
    return session.keyboard


def _stored(person):
    return open_trajectory(person.finish())


def test_gestures_and_keys_made_on_the_phone_are_steps_of_their_own_kind(holder):
    hand = _hand(holder)
    _ready(holder, lambda: hand.tap(holder.sees("Shop").bounds.center))
    holder.sees("Sign in")
    size = holder.studio.devices.current.session.screen_size
    low, high = size.height * 3 // 4, size.height // 3
    middle = holder.sees("Sign in").bounds.center
    start, end = type(middle)(size.width // 2, low), type(middle)(size.width // 2, high)
    _ready(holder, lambda: hand.draw(start, end))
    _ready(holder, lambda: hand.hold(start, 0.8))
    _ready(holder, lambda: hand.press("back"))
    holder.tap(holder.sees("Shop"))
    stored = _stored(holder)
    performed = [step.action for step in stored.steps]
    kinds = [action.kind if action else "" for action in performed]
    assert kinds == ["tap", "swipe", "long_press", "key", "tap", ""], kinds
    assert stored.steps[0].description == "Tap 'Shop'"
    assert (performed[1].x1, performed[1].y1, performed[1].x2, performed[1].y2) == (
        start.x,
        start.y,
        end.x,
        end.y,
    )
    assert 700 <= performed[2].duration_ms < 3000
    assert performed[3] == actions.Key("back")
    by_hand = [step.state.source.get("input", "") for step in stored.steps]
    assert by_hand == ["getevent"] * 4 + ["", ""], "what the mirror did is recorded once, as the mirror's"


def test_keys_of_the_phones_keyboard_are_typing_and_never_places(holder):
    hand = _hand(holder)
    _ready(holder, lambda: hand.tap(holder.sees("Shop").bounds.center))
    _ready(holder, lambda: hand.tap(holder.sees("Search products").bounds.center))
    frame = _keyboard(holder)
    _ready(holder, lambda: hand.types("lamx<p", frame))
    holder.until(lambda: len(holder.recording.steps) == 3)
    _ready(holder, lambda: hand.types("\n", frame))
    stored = _stored(holder)
    performed = [step.action for step in stored.steps[2:-1]]
    assert performed == [actions.Type("lamp", 4), actions.Key("enter")], [
        step.description for step in stored.steps
    ]
    assert stored.steps[2].description.startswith("Type 'lamp'")
    assert stored.steps[2].state.source["input"] == "getevent"


def test_a_password_typed_on_the_glass_is_hidden_whole(holder):
    hand = _hand(holder)
    _ready(holder, lambda: hand.tap(holder.sees("Shop").bounds.center))
    _ready(holder, lambda: hand.tap(holder.sees("Sign in").bounds.center))
    _ready(holder, lambda: hand.tap(holder.field("password").bounds.center))
    frame = _keyboard(holder)
    hand.types("hello", frame)
    onward = holder.sees("Continue").bounds.center
    _ready(holder, lambda: hand.tap(onward))
    stored = _stored(holder)
    step = stored.steps[3]
    assert step.action == actions.Type("", 5, redacted=True), [step.description for step in stored.steps]
    assert step.redacted
    assert "hello" not in (stored.folder / "steps.jsonl").read_text()
    assert _is_black(stored.screenshot(step), frame)


def test_a_turned_phone_is_touched_where_the_person_sees_it(holder):
    session = holder.studio.devices.current.session
    hand = _hand(holder)
    _ready(holder, lambda: hand.tap(holder.sees("Shop").bounds.center))
    session.device.shell("wm user-rotation lock 1")
    holder.until(lambda: session.screen_size.width > session.screen_size.height)
    holder.until(lambda: session.newest_tree().tree.rotation == 1)
    holder.until(lambda: session.rotation == 1)
    target = holder.sees("Search products").bounds.center
    _ready(holder, lambda: hand.tap(target))
    frame = _keyboard(holder)
    _ready(holder, lambda: hand.types("sea", frame))
    steps = _stored(holder).steps
    assert (steps[1].action.x, steps[1].action.y) == (target.x, target.y)
    assert (steps[1].description, steps[1].state.rotation) == ("Tap 'Search products'", 1)
    assert steps[2].action == actions.Type("sea", 3)


def test_a_setting_leaves_hands_out_and_a_recording_that_ends_listens_no_more(person, tmp_path):
    person.studio.settings.set("recording.on-device-input", False)
    person.open_project(tmp_path / "alone", _TASK)
    person.take_phone()
    person.start()
    assert "getevent" not in {thread.name for thread in threading.enumerate()}
    _hand(person).tap(person.sees("Shop").bounds.center)
    person.sees("Sign in")
    person.tap(person.sees("Sign in"))
    assert [step.description for step in _stored(person).steps] == ["Tap 'Sign in'", ""]


def _is_black(png, frame):
    pixels = np.asarray(Image.open(io.BytesIO(png)).convert("L"))
    return pixels[frame.top : frame.bottom, frame.left : frame.right].max() == 0
