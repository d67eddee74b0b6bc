"""What the palette finds, in which order, and why something cannot be had."""

from __future__ import annotations

import pytest

from collector.anomalies.builtin_library import builtin_library
from collector.anomalies.model import COMPANION_KIND, NATIVE
from collector.anomalies.reader import read_library
from studio.widgets.inject.anomaly_entries import (
    CATEGORY_CHOICES,
    AnomalyEntry,
    AnomalyQuery,
    InjectTarget,
    category_icon,
    category_words,
    languages_of,
    ordered,
    parameter_words,
    reason_against,
    shown_parameters,
)

OWN = [AnomalyEntry(anomaly) for anomaly in builtin_library().anomalies]
MINE = AnomalyEntry(
    read_library("interference_library:\n  - {id: mine, target_activity: LoginActivity}").anomalies[0], False
)
HERE = InjectTarget(True, 14)


def ids(entries):
    return [entry.anomaly.id for entry in entries]


def by_id(name):
    return next(entry.anomaly for entry in OWN if entry.anomaly.id == name)


def test_every_word_is_looked_for_in_id_words_and_buttons():
    assert ids(ordered(OWN, AnomalyQuery("battery saver not now double_en"), ())) == ["battery_low_double_en"]
    assert "battery_low_double_zh" in ids(ordered(OWN, AnomalyQuery("电池"), ()))
    assert ordered(OWN, AnomalyQuery("battery nonsense"), ()) == []


@pytest.mark.parametrize(
    ("query", "holds"),
    [
        (AnomalyQuery(category="System Network"), lambda entry: entry.category == "System Network"),
        (AnomalyQuery(kind=NATIVE), lambda entry: entry.kind == NATIVE),
        (AnomalyQuery(kind=COMPANION_KIND), lambda entry: entry.kind == COMPANION_KIND),
        (AnomalyQuery(buttons="2"), lambda entry: entry.buttons == 2),
        (AnomalyQuery(buttons="1"), lambda entry: entry.buttons == 1),
        (AnomalyQuery(language="zh"), lambda entry: entry.language in ("", "zh")),
    ],
)
def test_a_filter_keeps_what_suits_and_no_more(query, holds):
    entries = ordered(OWN, query, ())
    assert entries
    assert {entry.anomaly.id for entry in entries} == {
        entry.anomaly.id for entry in OWN if holds(entry.anomaly)
    }


def test_lately_used_come_first_then_those_of_the_project():
    entries = ids(ordered([*OWN, MINE], AnomalyQuery(), ("wifi_off", "app_crash")))
    assert entries[:3] == ["wifi_off", "app_crash", "mine"]


def test_every_category_has_words_and_an_icon_of_its_own():
    words = {category_words(category) for category in CATEGORY_CHOICES[1:]}
    icons = {category_icon(category) for category in CATEGORY_CHOICES[1:]}
    assert len(words) == len(icons) == 5
    assert languages_of(OWN) == ["en", "zh"]


@pytest.mark.parametrize(
    ("name", "place", "reason"),
    [
        ("wifi_off", InjectTarget(), "No phone is in use: connect one, or start a virtual phone"),
        ("wifi_off", InjectTarget(True, 14, busy="A check runs"), "A check runs"),
        ("wifi_off", HERE, ""),
        ("app_networking_off", InjectTarget(True, 13), "Its commands are not for Android 13"),
        ("app_networking_off", InjectTarget(True, 0), ""),
        ("battery_low_double_en", InjectTarget(True, 14, companion=False), ""),  # it is offered
        ("wifi_off", InjectTarget(True, 14, companion=False), ""),
        ("wifi_off", InjectTarget(True, 14, obstacle="A call"), "A call lies on top: answer it first"),
    ],
)
def test_what_does_not_suit_says_why(name, place, reason):
    assert reason_against(by_id(name), place) == reason


def test_what_wires_a_dialog_to_its_answers_is_not_offered():
    shown = shown_parameters(by_id("battery_low_double_en"))
    assert shown == ["param_title", "param_message", "param_allow_btn_text", "param_deny_btn_text"]
    assert parameter_words("param_allow_btn_text") == "Accepting button"
    assert parameter_words("param_new_btn_text") == "New button"
