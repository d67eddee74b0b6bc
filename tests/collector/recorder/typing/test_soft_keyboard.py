"""Touches on the phone's own keyboard are typing, read back from the field; never taps at a place."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from collector.hierarchy.parse import parse_tree
from collector.model.action import Key, Swipe, Tap, Type
from collector.model.geometry import Point, Position, Rect
from collector.model.phone.touch import TouchAction
from collector.recorder.typing.field_reading import typed_between
from collector.virtual.system.windows.editing import Edit
from tests.helpers.dumps import hierarchy, node
from tests.helpers.fake_source import SCREEN
from tests.helpers.recorder_rig import RecorderRig

KEYS = Rect(0, 500, 360, 800)
A_KEY, ENTER = (100, 600), (340, 760)


def _field(text: str, *, password: bool = False, focused: bool = True, name: str = "query") -> str:
    return node(
        class_="android.widget.EditText", text=text, resource_id=f"app:id/{name}", clickable="true",
        focused="true" if focused else "false", password="true" if password else "false",
        bounds="[0,100][360,200]",
    )  # fmt: skip


class Typist(RecorderRig):
    """Somebody at a field with the phone's keyboard before them."""

    def shows(self, *roots: str) -> None:
        """The screen as it is from now on, for whoever asks for a tree."""
        self.source.show(60, *roots)

    def presses(self, where: tuple[int, int] = A_KEY, then: str = "", gap_ms: float = 120) -> None:
        self.touch(TouchAction.DOWN, *where)
        self.pass_ms(40)
        self.touch(TouchAction.UP, *where)
        if then:
            self.shows(then)
        self.pass_ms(gap_ms)

    def types(self, text: str, before: str = "", **words: bool) -> None:
        for end in range(1, len(text) + 1):
            content = "\u2022" * end if words.get("password") else before + text[:end]
            self.presses(then=_field(content, **words))


@pytest.fixture
def typist(tmp_path: Path) -> Iterator[Typist]:
    new_typist = Typist(tmp_path)
    new_typist.source.keyboard = KEYS
    new_typist.screen(60, _field("Search products"))
    yield new_typist
    new_typist.close()


def test_taps_on_the_keyboard_are_one_step_with_what_the_field_says(typist: Typist) -> None:
    typist.types("Sunday best")
    (step,) = typist.steps()
    assert step.action == Type("Sunday best", 11), "the hint of the empty field is no text"
    assert step.description == "Type 'Sunday best' into 'Search products'"
    assert step.state.problem == ""


def test_the_same_key_twice_is_no_double_tap_and_a_long_one_no_long_press(typist: Typist) -> None:
    typist.presses(then=_field("l"), gap_ms=60)
    typist.touch(TouchAction.DOWN, *A_KEY)
    typist.pass_ms(700)
    typist.touch(TouchAction.UP, *A_KEY)
    typist.shows(_field("l\u0142"))
    assert typist.actions() == [Type("l\u0142", 2)]


def test_gliding_over_letters_is_typing_and_going_home_is_not(typist: Typist) -> None:
    typist.touch(TouchAction.DOWN, 50, 600)
    for x in range(60, 300, 20):
        typist.pass_ms(20)
        typist.touch(TouchAction.MOVE, x, 620)
    typist.touch(TouchAction.UP, 300, 620)
    typist.shows(_field("hello "))
    typist.pass_ms(2500)
    typist.touch(TouchAction.DOWN, 180, 795)
    typist.pass_ms(40)
    typist.touch(TouchAction.MOVE, 180, 400)
    typist.touch(TouchAction.UP, 180, 300)
    actions = typist.actions()
    assert actions[0] == Type("hello ", 6)
    assert isinstance(actions[1], Swipe)


def test_two_thumbs_at_once_press_keys(typist: Typist) -> None:
    def touch(action: TouchAction, pointer: int, x: int) -> None:
        typist.recorder.touch(action, pointer, Position(Point(x, 600), SCREEN))
        typist.pass_ms(30)

    touch(TouchAction.DOWN, 0, 50)
    touch(TouchAction.DOWN, 1, 300)
    touch(TouchAction.UP, 0, 50)
    touch(TouchAction.UP, 1, 300)
    typist.shows(_field("ab"))
    assert [action.kind for action in typist.actions()] == ["type"]


def test_a_change_of_case_or_language_leaves_no_step(typist: Typist) -> None:
    typist.presses()
    typist.presses()
    assert typist.actions() == []


def test_the_keyboards_own_button_that_puts_it_away_is_back(typist: Typist) -> None:
    typist.touch(TouchAction.DOWN, 40, 780)
    typist.pass_ms(40)
    typist.touch(TouchAction.UP, 40, 780)
    typist.source.keyboard = None
    assert typist.actions() == [Key("back")]


def test_corrections_are_what_they_left(typist: Typist) -> None:
    typist.screen(60, _field("the teh"))
    typist.presses(then=_field("the te"))
    typist.presses(then=_field("the t"))
    typist.presses(then=_field("the th"))
    (step,) = typist.steps()
    assert (step.action, step.extra) == (Type("h", 1), {"erased": 2})


def test_a_second_stretch_begins_with_what_the_first_left(typist: Typist) -> None:
    typist.types("ab")
    typist.pass_ms(4000)
    typist.presses(then=_field("xyz"))
    typist.pass_ms(4000)
    steps = typist.steps()
    assert [step.action for step in steps] == [Type("ab", 2), Type("xyz", 3)]
    assert steps[1].extra == {"erased": 2}, "known text is no hint"


def test_the_action_key_is_enter_where_it_leaves_the_field(typist: Typist) -> None:
    typist.types("tea")
    typist.source.keyboard = None
    typist.presses(ENTER)
    typist.shows(node(text="Results", bounds="[0,0][360,90]"))
    typist.pass_ms(3000)
    typist.tap(50, 50)
    assert typist.actions() == [Type("tea", 3), Tap(340, 760, 40), Tap(50, 50, 60)], "there was no keyboard"


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (_field("tea", name="other"), Key("enter")),
        (_field("Search products"), Key("enter")),
        (_field("tea"), Key("enter")),
        (_field("tea\n"), Key("enter")),
        (_field("tea."), Type(".", 1)),
    ],
)
def test_what_came_of_the_action_key_tells_what_it_was(typist: Typist, after: str, expected: object) -> None:
    typist.types("tea")
    typist.pass_ms(400)
    typist.presses(ENTER, then=after)
    assert typist.actions() == [Type("tea", 3), expected]


def test_keys_after_enter_are_typing_anew(typist: Typist) -> None:
    typist.types("ab")
    typist.pass_ms(400)
    typist.presses(ENTER, then=_field("Name", name="other"), gap_ms=500)
    typist.presses(then=_field("c", name="other"))
    assert typist.actions() == [Type("ab", 2), Key("enter"), Type("c", 1)]


def test_a_dump_that_waits_for_rest_speaks_of_when_it_ended(tmp_path: Path, request) -> None:
    typist = Typist(tmp_path, tree_ms=600)
    request.addfinalizer(typist.close)
    typist.source.keyboard = KEYS
    name = _field("lin@x.org", focused=False, name="email")
    typist.screen(60, name, _field("", password=True, focused=False))
    typist.tap(50, 150)
    typist.pass_ms(500)

    def page(email: str, typed: int) -> tuple[str, str]:
        on_email = _field(email, focused=typed < 0, name="email")
        return on_email, _field("\u2022" * max(0, typed), password=True, focused=typed >= 0)

    for letters in ("a", "an", "ann"):
        typist.presses()
        typist.shows(*page("lin@x.org" + letters, -1))
    typist.pass_ms(300)
    typist.presses(ENTER)
    typist.shows(*page("lin@x.organn", 0))
    typist.pass_ms(500)
    for count in range(1, 5):
        typist.presses()
        typist.shows(*page("lin@x.organn", count))
    typist.source.keyboard = None
    typist.tap(50, 450)
    typist.pass_ms(6000)
    actions = [action for action in typist.actions() if not isinstance(action, Tap)]
    assert actions[1:] == [Key("enter"), Type("", 4, redacted=True)], actions
    assert actions[0].kind == "type"
    assert actions[0].length == 3


def test_the_next_action_waits_its_turn_behind_what_is_read_back(typist: Typist) -> None:
    typist.types("tea")
    typist.pass_ms(300)
    typist.source.keyboard = None
    typist.tap(50, 50)
    typist.shows(node(text="Sent", bounds="[0,0][360,90]"))
    assert typist.actions() == [Type("tea", 3), Tap(50, 50, 60)]


def test_a_person_faster_than_the_phone_is_told_that_the_text_may_be_cut(
    tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    typist = Typist(tmp_path, tree_ms=1500)
    request.addfinalizer(typist.close)
    typist.source.keyboard = KEYS
    typist.screen(60, _field(""))
    typist.types("tea")
    typist.source.keyboard = None
    typist.tap(50, 50)
    typist.shows(node(text="Sent", bounds="[0,0][360,90]"))
    typist.pass_ms(6000)
    typing, tap = typist.steps()
    assert typing.action.kind == "type"
    assert "read back" in typing.state.problem
    assert tap.action == Tap(50, 50, 60)


def test_over_a_password_neither_text_nor_places_nor_the_keyboard_are_kept(typist: Typist) -> None:
    typist.screen(60, _field("", password=True))
    typist.types("hunter2", password=True)
    typist.recorder.finish()
    steps = typist.steps()
    assert steps[0].action == Type("", 7, redacted=True)
    lines = (typist.writer.folder / "steps.jsonl").read_text()
    assert "hunter2" not in lines
    assert all(f'"{axis}": {place}' not in lines for axis, place in zip("xy", A_KEY, strict=True))
    pixels = np.asarray(Image.open(io.BytesIO(typist.file(steps[0].state.screenshot))))
    assert pixels[KEYS.top :].max() == 0
    assert pixels[200 : KEYS.top].min() == 60


def test_a_keyboard_nobody_presses_stays_in_the_picture(typist: Typist) -> None:
    typist.screen(60, _field("", password=True))
    typist.recorder.text("hunter2")
    typist.pass_ms(3000)
    typist.tap(50, 50)
    for step in typist.steps():
        pixels = np.asarray(Image.open(io.BytesIO(typist.file(step.state.screenshot))))
        assert pixels[KEYS.top :].min() == 60


def test_what_follows_at_once_shows_no_pressed_key_either(typist: Typist) -> None:
    typist.screen(60, _field("", password=True))
    typist.types("ab", password=True)
    typist.tap(50, 50)
    for step in typist.steps():
        pixels = np.asarray(Image.open(io.BytesIO(typist.file(step.state.screenshot))))
        assert pixels[KEYS.top :].max() == 0


def test_a_hint_of_a_password_field_is_not_counted(typist: Typist) -> None:
    typist.screen(60, _field("Password", password=True))
    typist.types("12345678", password=True)
    (step,) = typist.steps()
    assert (step.action, step.extra) == (Type("", 8, redacted=True), {})


def test_where_no_field_can_be_seen_a_password_is_suspected(typist: Typist) -> None:
    typist.screen(
        60, node(password="true", bounds="[0,0][360,90]"), node(text="web", bounds="[0,90][360,400]")
    )
    typist.presses()
    typist.pass_ms(6000)
    (step,) = typist.steps()
    assert step.action == Type("", 1, redacted=True)


def test_undo_takes_back_what_is_still_being_typed(typist: Typist) -> None:
    typist.tap(50, 150)
    typist.pass_ms(1000)
    typist.types("tea")
    typist.recorder.undo()
    assert [action.kind for action in typist.actions()] == ["tap"]


@pytest.mark.parametrize(
    ("shown", "caption"), [("POSTER", "POSTER"), ("poster", "poster"), ("Search", "poster")]
)
def test_the_caption_of_what_the_mirror_sent_is_what_the_field_made_of_it(
    typist: Typist, shown: str, caption: str
) -> None:
    typist.screen(60, _field("Search"))
    typist.recorder.text("poster")
    typist.shows(_field(shown))
    (step,) = typist.steps()
    assert step.action == Type("poster", 6), "what was done is kept as it was"
    assert step.description == f"Type '{caption}' into 'Search'"


def test_hands_on_the_phone_are_recorded_and_not_sent_on(rig: RecorderRig) -> None:
    for action in (TouchAction.DOWN, TouchAction.UP):
        place = Position(Point(50, 60), SCREEN)
        rig.recorder.on_device_touch(action, 0, place, rig.clock())
    rig.pass_ms(600)
    rig.recorder.on_device_key("back")
    rig.tap()
    steps = rig.steps()
    assert [step.action for step in steps] == [Tap(50, 60, 0), Key("back"), Tap(50, 50, 60)]
    assert [step.state.source.get("input") for step in steps] == ["getevent", "getevent", None]
    assert len(rig.source.sent) == 2


def test_a_hand_and_the_mirror_at_once_are_not_one_gesture(rig: RecorderRig) -> None:
    rig.touch(TouchAction.DOWN, 50, 50)
    rig.recorder.on_device_touch(TouchAction.DOWN, 0, Position(Point(300, 700), SCREEN), rig.clock())
    rig.recorder.on_device_touch(TouchAction.UP, 0, Position(Point(300, 700), SCREEN), rig.clock())
    rig.pass_ms(60)
    rig.touch(TouchAction.UP, 50, 50)
    assert rig.actions() == [Tap(50, 50, 60)]


def _node(text: str):
    return next(node for node in parse_tree(hierarchy(_field(text))) if node.text == text)


@given(before=st.text("ab ", max_size=8), typed=st.text("abc", min_size=1, max_size=8), at=st.integers(0, 8))
def test_what_was_put_in_between_is_what_was_typed(before: str, typed: str, at: int) -> None:
    after = before[:at] + typed + before[at:]
    text, erased = typed_between(_node(before) if before else None, _node(after), len(typed))
    assert (len(text), erased) == (len(typed), 0)
    assert sorted(text) == sorted(typed) or sorted(before + text) == sorted(after)


@pytest.mark.parametrize(
    ("before", "seen", "after", "presses"),
    [
        ("", ["n", "ni", "ni h", "ni hao", "你好"], "你好", 6),  # pinyin, and a candidate
        ("我想", ["我想y", "我想yao", "我想要"], "我想要", 4),
        ("", ["か", "かん", "かんじ", "漢字"], "漢字", 4),
        ("안", ["안ㄴ", "안녀", "안녕"], "안녕", 3),
        ("قهوة", ["قهوة ", "قهوة ب"], "قهوة بالحليب", 8),
        ("नम", ["नमस", "नमस्", "नमस्त"], "नमस्ते", 4),
        ("สวัส", ["สวัสด"], "สวัสดี", 2),
        ("ok ", ["ok 👍"], "ok 👍🏽", 2),
        ("👩\u200d👩\u200d👧", [], "👩\u200d👩\u200d👦", 2),
        ("🇩🇪", ["", "🇫🇷"], "🇫🇷!", 3),
        ("e\u0301t", ["e\u0301", ""], "e\u0300t", 4),
    ],
)
def test_what_is_typed_in_any_script_can_be_typed_again(
    tmp_path: Path, before: str, seen: list[str], after: str, presses: int
) -> None:
    """What a keyboard composes in between does not count, and a backspace takes a whole character."""
    typist = Typist(tmp_path)
    typist.source.keyboard = KEYS
    hint = "" if before else "Search products"
    typist.screen(60, _field(before or hint))
    if before:  # what was there is known to be text
        typist.presses(then=_field(before + "x"))
        typist.presses(then=_field(before), gap_ms=2000)
    for number in range(presses):
        typist.presses(then=_field((seen + [after] * presses)[number]))
    step = typist.steps()[-1]
    typist.close()
    assert isinstance(step.action, Type)
    edit = Edit(before, len(before))
    for _press in range(int(step.extra.get("erased") or 0)):
        edit = edit.backspace()
    assert edit.insert(step.action.text).text == after
