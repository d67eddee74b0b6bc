"""Pinch, double tap and drag on a zoomable photo: its description and its pixels."""

import re
from types import SimpleNamespace

import pytest

from collector.model.phone.touch import TouchAction
from collector.virtual.system.phone import Phone
from collector.virtual.ui.effects import Component, Intent
from tests.helpers.virtual import profile

DOWN, MOVE, UP, CANCEL = TouchAction.DOWN, TouchAction.MOVE, TouchAction.UP, TouchAction.CANCEL
PRODUCT = Intent(component=Component("com.waymark.shop", "com.waymark.shop.ProductActivity"))


@pytest.fixture
def phone():
    phone = Phone(profile("shop"))
    phone.start_activity(PRODUCT)
    tap(phone, 360, 400)
    yield phone
    phone.close()


def tap(phone, x, y):
    phone.touch(DOWN, 0, x, y)
    phone.touch(UP, 0, x, y)


def zoom_of(phone):
    """The zoom in percent, as the screen displays it."""
    return int(re.search(r'text="Zoom (\d+)%"', phone.hierarchy_xml().decode())[1])


def photo_of(phone):
    """The visible part, as the app keeps it."""
    return SimpleNamespace(**phone.app_state("shop")["photo"])


def pinch(phone, *steps):
    """Move two fingers on the middle line, so many px left and right of (360, 800), one step after
    another."""
    for action, reach in zip((DOWN, *(MOVE,) * (len(steps) - 1)), steps, strict=True):
        phone.touch(action, 0, 360 - reach, 800)
        phone.touch(action, 1, 360 + reach, 800)
    phone.touch(UP, 1, 360 + steps[-1], 800)
    phone.touch(UP, 0, 360 - steps[-1], 800)


def test_the_photo_of_a_product_opens_alone(phone):
    assert phone.focused.short == "com.waymark.shop/.PhotoActivity"
    assert zoom_of(phone) == 100


def test_fingers_that_part_enlarge_it_and_fingers_that_meet_bring_it_back(phone):
    before, frame = phone.capture().rgba, re.search(rb'photo".*?bounds="(.*?)"', phone.hierarchy_xml())[1]
    pinch(phone, 50, 75, 100, 125)
    assert zoom_of(phone) == 250
    large = phone.capture().rgba
    assert (large != before).any()
    assert re.search(rb'photo".*?bounds="(.*?)"', phone.hierarchy_xml())[1] == frame
    pinch(phone, 200, 40)
    assert zoom_of(phone) == 100
    assert (phone.capture().rgba == before).all()


def test_it_does_not_zoom_out_of_bounds(phone):
    pinch(phone, 10, 300)
    assert zoom_of(phone) == 500
    pinch(phone, 300, 10)
    assert zoom_of(phone) == 100


def test_what_is_under_the_fingers_stays_there(phone):
    phone.touch(DOWN, 0, 160, 800)
    phone.touch(DOWN, 1, 260, 800)
    phone.touch(MOVE, 0, 110, 800)
    phone.touch(MOVE, 1, 310, 800)
    photo = photo_of(phone)
    assert photo.zoom == 2
    # 210 of 720 px lies 150 px left of the middle, and 75 px of the picture in its own size.
    assert photo.x == pytest.approx((360 - 150 + 75) / 720, abs=0.002)


def test_one_finger_moves_what_is_enlarged_and_stops_at_its_edge(phone):
    pinch(phone, 50, 100)
    phone.touch(DOWN, 0, 300, 800)
    for x in (330, 400, 500):
        phone.touch(MOVE, 0, x, 800)
    phone.touch(UP, 0, 500, 800)
    moved = photo_of(phone)
    assert 0.25 <= moved.x < 0.5
    assert moved.zoom == 2
    for _ in range(3):
        phone.touch(DOWN, 0, 200, 800)
        phone.touch(MOVE, 0, 300, 800)
        phone.touch(MOVE, 0, 600, 800)
        phone.touch(UP, 0, 600, 800)
    assert photo_of(phone).x == 0.25


def test_a_double_tap_goes_close_and_back(phone):
    for percent in (250, 100):
        tap(phone, 200, 600)
        tap(phone, 200, 600)
        assert zoom_of(phone) == percent


def test_a_finger_that_stays_goes_on_moving_the_photo(phone):
    phone.touch(DOWN, 0, 310, 800)
    phone.touch(DOWN, 1, 410, 800)
    phone.touch(MOVE, 0, 210, 800)
    phone.touch(MOVE, 1, 510, 800)
    phone.touch(UP, 0, 210, 800)
    before = photo_of(phone)
    phone.touch(MOVE, 1, 560, 800)
    assert photo_of(phone).x < before.x
    assert photo_of(phone).zoom == before.zoom
    phone.touch(CANCEL, 1, 560, 800)
    phone.key(4)
    assert phone.focused.short == "com.waymark.shop/.ProductActivity"


def test_two_fingers_where_nothing_zooms_are_no_pinch(phone):
    phone.key(4)
    before = phone.hierarchy_xml()
    pinch(phone, 50, 120)
    assert phone.hierarchy_xml() == before
