"""Where a text goes is told by the field that takes it; without one it is hidden unless a field shows it."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace

import pytest

from collector.device.snapshot import TreeSnapshot
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.password_fields import field_at
from collector.model.action import Key, LongPress, Tap
from collector.model.geometry import Point, Size
from collector.recorder.passwords.password_keys import password_character
from collector.recorder.passwords.text_destination import (
    TextDestination,
    destination_on,
    is_shown,
    moved_to_password,
    predicted_destination,
)
from collector.recorder.screen_moment import ScreenMoment
from tests.helpers.dumps import hierarchy, node

PLAIN, PASSWORD, UNKNOWN = TextDestination.PLAIN, TextDestination.PASSWORD, TextDestination.UNKNOWN
ON_EMAIL, ON_PASSWORD, ON_LABEL = Point(50, 10), Point(50, 50), Point(50, 90)


def moment(*roots: str, **values: object) -> ScreenMoment:
    """A screen with these nodes; none for a phone that gave no tree."""
    xml = hierarchy(*roots).encode() if roots else b""
    snapshot = TreeSnapshot(xml, parse_tree(xml), 0, 0, "dump") if roots else None
    return ScreenMoment(0, dt.datetime.now(dt.UTC), None, snapshot, "a", ".A", Size(100, 200), **values)


def email(text: str = "", *, focused: bool = False) -> str:
    return _field(0, text, focused, "false")


def password(text: str = "", *, focused: bool = False) -> str:
    return _field(40, text, focused, "true")


def _field(top: int, text: str, focused: bool, is_password: str) -> str:
    return node(
        class_="android.widget.EditText", text=text, bounds=f"[0,{top}][100,{top + 20}]",
        focused=str(focused).lower(), password=is_password,
    )  # fmt: skip


LOGIN = moment(email(), password())
NOTE = moment(email(focused=True))


@pytest.mark.parametrize(
    ("screen", "place", "text", "expected"),
    [
        (LOGIN, ON_PASSWORD, "hunter22", PASSWORD),
        (LOGIN, ON_EMAIL, "lin", PLAIN),
        (LOGIN, ON_EMAIL, "lin\thunter22", UNKNOWN),
        (LOGIN, ON_LABEL, "lin", UNKNOWN),
        (moment(), ON_EMAIL, "lin", UNKNOWN),
        (replace(LOGIN, secure=True), ON_EMAIL, "lin", UNKNOWN),
        (LOGIN, None, "lin", UNKNOWN),
        (NOTE, None, "lin", PLAIN),
        (moment(email(), password(focused=True)), None, "hunter22", PASSWORD),
        (replace(LOGIN, hides_passwords=False), ON_PASSWORD, "hunter22", PLAIN),
    ],
)  # fmt: skip
def test_a_prediction_is_told_by_the_field_at_its_place(
    screen: ScreenMoment, place: Point | None, text: str, expected: TextDestination
) -> None:
    assert predicted_destination(text, screen, place) is expected


@pytest.mark.parametrize(
    ("now", "tapped", "text", "expected"),
    [
        (moment(email(), password(focused=True)), ON_PASSWORD, "hunter22", PASSWORD),
        (moment(email(focused=True), password()), ON_PASSWORD, "hunter22", PASSWORD),
        (moment(email(), password(focused=True)), ON_EMAIL, "lin", UNKNOWN),
        (moment(email(), password(focused=True)), ON_LABEL, "hunter22", PASSWORD),
        (moment(email(focused=True), password()), ON_EMAIL, "lin", UNKNOWN),
        (moment(email(focused=True)), ON_LABEL, "lin", PLAIN),
        (moment(email(focused=True)), None, "lin", PLAIN),
        (moment(email(focused=True)), None, "lin\n", PLAIN),
        (moment(email(focused=True)), None, "lin\nhunter22", UNKNOWN),
        (moment(email()), ON_EMAIL, "lin", UNKNOWN),
        (moment(node(class_="android.webkit.WebView", focused="true")), None, "lin", UNKNOWN),
        (moment(), ON_EMAIL, "lin", UNKNOWN),
        (replace(moment(), hides_passwords=False), None, "lin", PLAIN),
        (replace(moment(node(text="1", clickable="true")), secure=True), None, "1234", PASSWORD),
    ],
)  # fmt: skip
def test_a_text_is_told_by_the_field_that_has_the_focus_after_the_tap(
    now: ScreenMoment, tapped: Point | None, text: str, expected: TextDestination
) -> None:
    field = field_at(LOGIN.tree, tapped) if tapped is not None else None
    assert destination_on(text, now, field) is expected


@pytest.mark.parametrize(
    ("text", "after", "expected"),
    [
        ("lin@a.com", moment(email("lin@a.com"), password()), True),
        ("+1 555 0100", moment(email("(+1) 555-0100"), password()), True),
        ("lin", moment(email(), password("•••", focused=True)), False),
        ("hunter22", moment(email(), password("hunter22", focused=True)), False),
        ("ab", moment(node(text="ab"), email()), False),
        ("ab", moment(email("ab", focused=True)), True),
        ("!!", moment(email("oh!!", focused=True)), True),
        ("lin", moment(), False),
    ],
)
def test_a_plain_field_shows_what_it_took(text: str, after: ScreenMoment, expected: bool) -> None:
    assert is_shown(text, LOGIN.tree, after.tree) is expected


def test_a_text_that_was_on_the_screen_before_is_no_proof() -> None:
    screen = moment(node(text="Hello lin"), email(), password()).tree
    assert not is_shown("lin", screen, screen)


def test_a_focus_that_moved_on_by_itself_hides_the_text() -> None:
    moved = moment(email(), password("•", focused=True))
    assert moved_to_password("hunter22", moved, NOTE.tree)
    assert not moved_to_password("lin\n", moved, NOTE.tree), "the agent moved on itself"
    assert not moved_to_password("lin", moment(email("lin"), password(focused=True)), NOTE.tree)
    assert not moved_to_password("lin", NOTE, NOTE.tree)


PAD = [
    node(text=str(number), clickable="true", bounds=f"[{number * 10},0][{number * 10 + 10},10]")
    for number in range(10)
]


@pytest.mark.parametrize(
    ("action", "screen", "expected"),
    [
        (Key("code:36"), moment(password(focused=True)), "h"),
        (Key("code:9"), moment(password(focused=True)), "2"),
        (Key("code:146"), moment(password(focused=True)), "2"),
        (Key("code:77"), moment(password(focused=True)), "@"),
        (Key("code:66"), moment(password(focused=True)), ""),
        (Key("back"), moment(password(focused=True)), ""),
        (Key("code:x"), moment(password(focused=True)), ""),
        (Key("code:36"), NOTE, ""),
        (Key("code:36"), replace(moment(password(focused=True)), hides_passwords=False), ""),
        (Tap(45, 5), replace(moment(*PAD), secure=True), "4"),
        (LongPress(45, 5), replace(moment(*PAD), secure=True), "4"),
        (Tap(45, 50), replace(moment(*PAD), secure=True), ""),
        (Tap(45, 5), moment(*PAD), ""),
    ],
)
def test_single_keys_type_passwords_too(action: object, screen: ScreenMoment, expected: str) -> None:
    assert password_character(action, screen) == expected
