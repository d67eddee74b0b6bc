"""Fingers on the screen: the speed at which they lift, and several at once, of which the first one acts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.geometry import Point
from collector.model.phone.phone_setup import PhoneSetup
from collector.model.phone.touch import TouchAction
from collector.virtual.system.input.finger import speed_at_end
from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.phone_time import SimulatedTime
from tests.helpers.phone_driver import bounds, drag, find, has, nodes, place_to_tap, tap, wait_until
from tests.helpers.virtual import profile

DOWN, MOVE, UP = TouchAction.DOWN, TouchAction.MOVE, TouchAction.UP
BACK = 4


@pytest.fixture
def phone():
    phone = Phone(profile("todo"))
    phone.launch("com.android.settings")
    yield phone
    phone.close()


def test_a_second_finger_leaves_the_tap_of_the_first_alone(phone):
    before, point = phone.focused, place_to_tap(phone)
    phone.touch(DOWN, 0, point.x, point.y)
    for action, y in ((DOWN, 900), (MOVE, 700), (UP, 500)):
        phone.touch(action, 1, 360, y)
    assert phone.focused == before, "the second finger scrolled and opened nothing"
    phone.touch(UP, 0, point.x, point.y)
    assert phone.focused != before


def test_a_second_finger_that_stays_does_not_hold_the_next_tap(phone):
    before, point = phone.focused, place_to_tap(phone)
    phone.touch(DOWN, 0, 5, 900)
    phone.touch(DOWN, 1, 360, 900)
    phone.touch(UP, 0, 5, 900)
    phone.touch(DOWN, 0, point.x, point.y)
    phone.touch(UP, 0, point.x, point.y)
    assert phone.focused != before


def test_a_tap_is_not_lost_nor_a_form_scrolled_when_the_bar_of_a_message_goes_away_meanwhile():
    with_message = Phone(profile("todo"), SimulatedTime())
    with_message.launch("com.waymark.todo")
    for choice in ({"resource_id": "more"}, {"text": "Delete finished tasks"}, {"resource_id": "add"}):
        tap(with_message, **choice)
        with_message.pass_time(0.1)
    assert has(with_message, resource_id="snackbar_text")
    drag(with_message, (300, 700), (300, 100))  # the title has the focus, and goes out of sight
    place = bounds(find(with_message, resource_id="important"))
    at = place.center
    with_message.touch(DOWN, 0, at.x, at.y)
    for _tenth in range(45):
        with_message.pass_time(0.1)
    assert not has(with_message, resource_id="snackbar_text")
    assert bounds(find(with_message, resource_id="important")) == place
    with_message.touch(UP, 0, at.x, at.y)
    with_message.key(BACK)  # hides the keyboard, so that the whole form is there
    assert find(with_message, resource_id="important").get("checked") == "true"
    with_message.close()


# -- speed ---------------------------------------------------------------------
MS = 1_000_000


def sent(stalls, count=18, duration_ms=300):
    """Events of an even swipe of 5 px an event, whose sender stalls for some ms before some of them."""
    now, events = 0.0, []
    for number in range(count + 1):
        now = max(now, duration_ms * number / count) + stalls.get(number, 0)
        events.append((round(now * MS), Point(100, 400 - 5 * number)))
    return [*events, (events[-1][0] + MS, events[-1][1])]


@given(st.dictionaries(st.integers(0, 18), st.integers(0, 80), max_size=1))
def test_a_swipe_has_the_same_speed_however_late_its_events_come(stalls):
    assert speed_at_end(sent(stalls), horizontal=False) == speed_at_end(sent({}), horizontal=False)
    assert speed_at_end(sent(stalls), horizontal=True) == 0


def test_the_speed_is_that_of_the_end_and_a_rest_ends_it():
    # 18 events in 300 ms: one in 16 ms, of 5 px.
    assert speed_at_end(sent({}), horizontal=False) == pytest.approx(5 / 0.016)
    assert speed_at_end(sent({}, duration_ms=580), horizontal=False) == pytest.approx(5 / 0.032)
    *moves, (lifted, place) = sent({})
    assert speed_at_end([*moves, (lifted + 150 * MS, place)], horizontal=False) == 0
    slow_then_fast = [(number * 16 * MS, Point(0, -number)) for number in range(10)]
    slow_then_fast += [((9 + number) * 16 * MS, Point(0, -9 - 20 * number)) for number in range(1, 8)]
    assert speed_at_end(slow_then_fast, horizontal=False) == pytest.approx(20 / 0.016)
    in_pairs = [(33 * (number // 2) * MS, Point(100, 400 - 5 * number)) for number in range(20)]
    assert speed_at_end(in_pairs, horizontal=False) == pytest.approx(5 / 0.016)
    assert speed_at_end([(0, Point(5, 5))], horizontal=False) == 0
    assert speed_at_end([(0, Point(5, 5)), (MS, Point(5, 5))], horizontal=False) == 0


def tops(phone):
    """Where each text of the screen begins."""
    return {node.get("text"): bounds(node).top for node in nodes(phone) if node.get("text")}


def test_a_fling_always_ends_at_the_same_place():
    phone = Phone(profile("settings"), SimulatedTime())  # a busy computer sends no event late

    def end_of_fling():
        phone.launch("com.android.settings")
        before = tops(phone)
        phone.touch(DOWN, 0, 360, 1200)
        for number in range(1, 19):
            phone.pass_time(0.017 if number % 3 else 0.016)
            phone.touch(MOVE, 0, 360, 1200 - 12 * number)
        phone.touch(UP, 0, 360, 1200 - 12 * 18)
        phone.pass_time(5)
        assert phone.seconds_to_next_timer is None
        after = tops(phone)
        phone.reset(PhoneSetup())
        return max(before[text] - after[text] for text in before.keys() & after.keys()), after

    moved, end = end_of_fling()
    assert moved > 200
    assert [end_of_fling() for _time in range(2)] == [(moved, end)] * 2


# -- dragging ------------------------------------------------------------------


@pytest.mark.parametrize(("end", "minutes"), [(UP, 120), (TouchAction.CANCEL, 0)])
def test_a_long_press_picks_an_event_up_until_the_finger_lifts(end, minutes):
    phone = Phone(profile("calendar"))
    try:
        phone.launch("com.waymark.calendar")
        plain = phone.app_state("calendar")
        phone.set_app_state("calendar", plain | {"span": "day"})
        block = next(node for node in nodes(phone) if node.get("text") == "Call with Ana")
        assert block.get("long-clickable") == "true"
        x, y = bounds(block).center.x, bounds(block).center.y
        phone.touch(DOWN, 0, x, y)
        wait_until(phone, lambda: phone.app_state("calendar")["drag"] is not None)
        phone.touch(MOVE, 0, x, y + 224)
        assert phone.app_state("calendar")["drag"]["minutes"] == 120
        phone.touch(end, 0, x, y + 224)
        after = phone.app_state("calendar")
        assert after["drag"] is None
        before, moved = (state["events"][4]["time"] for state in (plain, after))
        assert int(moved[:2]) * 60 - int(before[:2]) * 60 == minutes
    finally:
        phone.close()
