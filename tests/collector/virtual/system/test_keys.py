"""Hardware keys pressed, held, repeated and released."""

import pytest

from collector.virtual.system.phone import Phone
from collector.virtual.system.phone_state.ticker import Ticker
from collector.virtual.system.phone_state.volumes import VOLUME_DOWN, VOLUME_UP, volume
from tests.helpers.virtual import profile

HOME, BACK, POWER, A, WAKEUP = 3, 4, 26, 29, 224


@pytest.fixture
def phone(monkeypatch):
    phone = Phone(profile("todo"))
    phone.launch("com.android.settings")
    # The tests decide when a press is long, not the clock.
    phone.timers = []
    monkeypatch.setattr(
        Ticker, "after", lambda _ticker, _seconds, run: phone.timers.append(run) or len(phone.timers)
    )
    yield phone
    phone.close()


def hold(phone, code):
    """Hold a key until its long press is over."""
    phone.key(code, True)
    phone.timers.pop()()


@pytest.mark.parametrize("code", [BACK, HOME])
def test_a_system_key_acts_when_it_comes_up(phone, code):
    settings = phone.focused
    phone.key(code, True)
    assert phone.focused == settings
    phone.key(code, False)
    assert phone.focused != settings


def test_a_key_that_repeats_while_it_is_held_goes_back_once(phone):
    for package in ("com.waymark.todo", "com.android.settings"):
        phone.launch(package)
    opened = len(phone.stack())
    for _ in range(5):
        phone.key(BACK, True)
    phone.key(BACK, False)
    phone.key(BACK, False)
    assert len(phone.stack()) == opened - 1


def test_a_release_of_a_key_that_is_not_down_does_nothing(phone):
    settings = phone.focused
    phone.key(BACK, False)
    assert phone.focused == settings


def test_a_long_back_still_goes_back(phone):
    settings = phone.focused
    hold(phone, BACK)
    assert phone.focused == settings
    phone.key(BACK, False)
    assert phone.focused != settings


def test_a_long_home_stays_where_it_is_and_the_next_short_one_goes(phone):
    settings = phone.focused
    hold(phone, HOME)
    phone.key(HOME, True)
    phone.key(HOME, False)
    assert phone.focused == settings
    phone.key(HOME, True)
    phone.key(HOME, False)
    assert phone.focused != settings


def test_a_long_power_does_not_turn_the_screen_off(phone):
    hold(phone, POWER)
    phone.key(POWER, False)
    assert phone.awake
    phone.key(POWER, True)
    phone.key(POWER, False)
    assert not phone.awake


def test_in_the_dark_only_power_and_wake_are_heard(phone):
    settings = phone.focused
    phone.key(POWER)
    phone.key(HOME)
    phone.key(BACK, True)
    phone.key(BACK, False)
    assert phone.focused == settings
    phone.key(WAKEUP)
    assert phone.awake
    phone.key(HOME)
    assert phone.focused != settings


def test_the_first_press_of_a_volume_key_shows_the_panel_and_the_next_ones_count(phone):
    def music():
        return volume(phone.settings, 3)

    phone.key(VOLUME_UP)
    assert music() == 7
    phone.key(VOLUME_UP)
    phone.key(VOLUME_UP)
    assert music() == 9
    phone.timers.pop()()  # the panel is hidden
    phone.key(VOLUME_DOWN)
    assert music() == 9
    for _press in range(12):
        phone.key(VOLUME_DOWN)
    assert music() == 0
