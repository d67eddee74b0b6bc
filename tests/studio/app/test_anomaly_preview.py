"""Anomalies are drawn as the virtual phone shows them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.model import NativeCommands, ShellCommand
from collector.virtual.ui.text import lay_text
from studio.app.anomaly_preview import draw_anomaly

BUILT_IN = {anomaly.id: anomaly for anomaly in builtin_library().anomalies}
DIALOGS = {anomaly.activity: anomaly for anomaly in BUILT_IN.values() if anomaly.activity}


@pytest.fixture(autouse=True)
def _time_enough(monkeypatch):
    monkeypatch.setattr("studio.app.anomaly_preview.TIME_LIMIT_S", 60)  # a loaded machine takes longer


def _draw(name, values=None, *, dark=False, package=""):
    return draw_anomaly(BUILT_IN[name], values or {}, dark, package)


@pytest.mark.parametrize("activity", sorted(DIALOGS))
def test_every_dialog_of_the_companion_app_has_a_picture(activity):
    assert not draw_anomaly(DIALOGS[activity], {}, False, "").isNull()


def test_the_words_come_from_the_values_and_else_from_the_library():
    as_it_is = _draw("battery_low_double_en")
    assert _draw("battery_low_double_en") == as_it_is
    assert _draw("battery_low_double_en", {"param_title": "Something else"}) != as_it_is
    assert _draw("battery_low_double_zh") != as_it_is


def test_one_button_makes_a_lower_dialog_than_two_below_each_other():
    assert _draw("battery_low_single_en").height() < _draw("battery_low_double_en").height()


def test_a_dark_phone_shows_a_dark_dialog():
    light, dark = _draw("login_wall"), _draw("login_wall", dark=True)
    at = light.rect().center().x(), 60
    assert light.pixelColor(*at).lightness() > 200 > 80 > dark.pixelColor(*at).lightness()
    assert lay_text.cache_info().currsize == 0, "what drawing keeps takes 9 MB of a window, and no time"


def test_an_activity_nobody_has_shows_nothing():
    assert draw_anomaly(replace(BUILT_IN["login_wall"], activity="NoActivity"), {}, False, "").isNull()


@pytest.mark.parametrize(
    "name", ["battery_level", "airplane_mode", "font_scale", "notification", "dark_mode"]
)
def test_a_native_change_is_shown_where_the_phone_shows_it(name):
    assert not _draw(name).isNull()


def test_a_parameter_of_a_native_change_is_filled_in():
    assert _draw("font_scale", {"scale": 2.0}) != _draw("font_scale")
    assert _draw("font_scale", {"scale": 1.0}).isNull()


def test_a_dark_phone_still_shows_what_turning_dark_looks_like():
    assert not _draw("dark_mode", dark=True).isNull()


def test_what_the_phone_does_not_show_has_no_picture():
    assert _draw("camera_blocked").isNull()


def test_commands_that_never_end_are_not_waited_for(monkeypatch):
    monkeypatch.setattr("studio.app.anomaly_preview.TIME_LIMIT_S", 0.4)  # many times what the first one takes
    commands = (ShellCommand("dumpsys battery set level 3"), ShellCommand("while true; do true; done"))
    endless = replace(
        BUILT_IN["battery_level"], native=(NativeCommands(BUILT_IN["battery_level"].versions, commands),)
    )
    assert not draw_anomaly(endless, {}, False, "").isNull()
