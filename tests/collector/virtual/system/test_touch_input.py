"""Several fingers at once: the first one acts, the others do not disturb it."""

import pytest

from collector.model.touch import TouchAction
from collector.virtual.system.phone import Phone
from tests.helpers.virtual import profile

DOWN, MOVE, UP = TouchAction.DOWN, TouchAction.MOVE, TouchAction.UP


@pytest.fixture
def phone():
    phone = Phone(profile("todo"))
    phone.launch("com.android.settings")
    yield phone
    phone.close()


def row_of(phone):
    return next(node for node in phone._compositor.focused.scene.nodes if node.widget.on_tap).visible.center


def test_a_second_finger_leaves_the_tap_of_the_first_alone(phone):
    before, point = phone.focused, row_of(phone)
    phone.touch(DOWN, 0, point.x, point.y)
    for action, y in ((DOWN, 900), (MOVE, 700), (UP, 500)):
        phone.touch(action, 1, 360, y)
    assert phone.focused == before, "the second finger scrolled and opened nothing"
    phone.touch(UP, 0, point.x, point.y)
    assert phone.focused != before


def test_a_second_finger_that_stays_does_not_hold_the_next_tap(phone):
    before, point = phone.focused, row_of(phone)
    phone.touch(DOWN, 0, 5, 900)
    phone.touch(DOWN, 1, 360, 900)
    phone.touch(UP, 0, 5, 900)
    phone.touch(DOWN, 0, point.x, point.y)
    phone.touch(UP, 0, point.x, point.y)
    assert phone.focused != before
