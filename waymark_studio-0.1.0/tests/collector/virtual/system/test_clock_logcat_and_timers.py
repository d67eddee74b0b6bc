"""Clock, log, settings, timers and plain data in isolation."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from collector.virtual.system.phone_state.clock import START, Clock
from collector.virtual.system.phone_state.logcat import Logcat
from collector.virtual.system.phone_state.settings import SettingsStore
from collector.virtual.system.phone_state.ticker import Ticker
from collector.virtual.ui.effects import Component
from collector.virtual.ui.plain import from_plain, to_plain


def test_the_clock_starts_as_in_the_pictures_and_can_be_set() -> None:
    clock = Clock()
    assert dt.timedelta() <= clock.now - START < dt.timedelta(seconds=30)
    clock.set(dt.datetime(2027, 1, 1))
    assert clock.now.year == 2027
    assert 0 < clock.seconds_to_next_minute <= 60


def test_the_log_numbers_lines_and_can_be_followed() -> None:
    log, stop = Logcat(), threading.Event()
    log.write(START, 1, "I", "Tag", "one\ntwo")
    assert [(line.number, line.text) for line in log.read()] == [(1, "one"), (2, "two")]
    lines = log.follow(1, stop)
    assert next(lines).text == "two"
    log.clear()
    log.write(START, 1, "I", "Tag", "three")
    assert next(lines).number == 3
    stop.set()
    assert list(lines) == []


def test_settings_tell_of_changes_only() -> None:
    changes: list[tuple[str, str]] = []
    settings = SettingsStore(threading.RLock(), lambda namespace, key: changes.append((namespace, key)))
    settings.put("system", "font_scale", "1.0")
    settings.put("system", "font_scale", "1.3")
    assert settings.get("system", "font_scale") == "1.3"
    assert settings.delete("system", "font_scale") is True
    assert settings.delete("system", "font_scale") is False
    assert settings.get("system", "font_scale") is None
    assert changes == [("system", "font_scale")] * 2
    assert list(settings.list("global")) == sorted(settings.list("global"))
    with pytest.raises(ValueError, match="no settings namespace"):
        settings.get("sytem", "font_scale")


def test_timers_run_in_order_and_can_be_cancelled(expected_log: Callable[..., object]) -> None:
    expected_log("a timer of the virtual phone failed")
    lock = threading.RLock()
    ticker, done = Ticker(lock), threading.Event()
    ran: list[str] = []

    def break_down() -> None:
        raise ZeroDivisionError

    with lock:
        # Far enough from each other for a machine that pauses between two of these lines.
        ticker.after(0.2, lambda: ran.append("second"))
        ticker.after(0.0, lambda: ran.append("first"))
        ticker.cancel(ticker.after(0.01, lambda: ran.append("never")))
        ticker.after(0.1, break_down)
        ticker.after(0.21, done.set)
    assert done.wait(10)
    assert ran == ["first", "second"]


def test_what_is_due_is_done_before_its_thread_has_time_for_it() -> None:
    lock, ran = threading.RLock(), []
    ticker = Ticker(lock)
    with lock:  # the thread waits for it
        ticker.after(0.0, lambda: ran.append("due"))
        ticker.after(60.0, lambda: ran.append("later"))
        ticker.catch_up()
        assert ran == ["due"]
        thread = ticker.close()
    assert thread is not None
    thread.join(5)


def test_components_have_a_short_and_a_long_form() -> None:
    component = Component.parse("com.example/.Main")
    assert str(component) == "com.example/com.example.Main"
    assert component.short == "com.example/.Main"
    assert Component.parse("com.example/org.other.Main").short == "com.example/org.other.Main"
    with pytest.raises(ValueError, match="not a component"):
        Component.parse("com.example")


@dataclass(frozen=True)
class Inner:
    name: str
    price: float = 0.0


@dataclass(frozen=True)
class Outer:
    inner: Inner | None = None
    many: tuple[Inner, ...] = ()
    counts: dict[str, int] | None = None
    pair: tuple[int, str] = (0, "")


def test_states_survive_plain_data() -> None:
    state = Outer(Inner("a", 1.5), (Inner("b"), Inner("c")), {"x": 1}, (2, "y"))
    assert from_plain(Outer, to_plain(state)) == state


@pytest.mark.parametrize(
    ("plain", "problem"),
    [
        ({"inner": {"nam": "a"}}, "state.inner has no field 'nam'"),
        ({"many": [{"name": 3}]}, r"state.many\[0\].name is int; expected str"),
        ({"many": {}}, "state.many is dict; expected a list"),
        ({"pair": [1]}, "state.pair has 1 items; expected 2"),
        ({"pair": [True, "x"]}, r"state.pair\[0\] is True; expected int"),
        ([], "state is list"),
    ],
)
def test_plain_data_that_does_not_fit_is_named(plain: object, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        from_plain(Outer, plain)
