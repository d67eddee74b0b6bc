"""A PIN tapped on a protected window is one hidden step: what is stored fits every PIN of its length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.action import LongPress, Swipe, Tap, Type
from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import Step, TrajectoryHeader
from collector.recorder.passwords.pin_pad import PinPadKey, key_of
from collector.recorder.recorder import Recorder
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.dumps import hierarchy, node
from tests.helpers.fake_source import SCREEN, FakeClock, FakeSource

_PLACES = {key: (20 + 120 * (i % 3), 320 + 100 * (i // 3)) for i, key in enumerate("123456789<0")}


def _key(key: str) -> str:
    x, y = _PLACES[key]
    words = {"content_desc": "Delete"} if key == "<" else {"text": key}
    return node(**words, clickable="true", bounds=f"[{x},{y}][{x + 80},{y + 80}]")


PAD = (
    *(_key(key) for key in _PLACES),
    node(text="Continue", clickable="true", bounds="[0,720][360,790]"),
    node(text="×", content_desc="Close", clickable="true", bounds="[0,0][60,60]"),
)


class Bank:
    """A recorder over a phone that shows a PIN pad in black."""

    def __init__(self, folder: Path, *, hide: bool = True, secure: bool = True) -> None:
        self.clock = FakeClock()
        self.source = FakeSource(self.clock)
        self.source.secure = secure
        self.writer = TrajectoryWriter.create(folder, TrajectoryHeader("one", "task"))
        self.recorder = Recorder(self.source, self.writer, clock=self.clock, hide_passwords=hide)
        self.source.show(0, *PAD)
        self.source.dump()
        self.recorder.look()

    def press(self, keys: str, gap_ms: float = 400) -> None:
        for key in keys:
            x, y = _PLACES[key]
            self.tap(x + 40, y + 40, gap_ms)

    def tap(self, x: int, y: int, gap_ms: float = 400) -> None:
        self.recorder.touch(TouchAction.DOWN, 0, Position(Point(x, y), SCREEN))
        self.pass_ms(60)
        self.recorder.touch(TouchAction.UP, 0, Position(Point(x, y), SCREEN))
        self.pass_ms(gap_ms)

    def pass_ms(self, ms: float) -> None:
        for _look in range(max(1, round(ms / 40))):
            self.clock.pass_ms(min(ms, 40))
            self.recorder.look()

    def steps(self) -> tuple[Step, ...]:
        self.pass_ms(6000)
        assert self.recorder.flush(30)
        return self.writer.steps

    def close(self) -> None:
        self.recorder.close()
        self.writer.close()

    def on_disk(self) -> dict[str, bytes]:
        files = sorted(self.writer.folder.rglob("*"))
        return {file.name: file.read_bytes() for file in files if file.is_file()}


@pytest.fixture
def bank(tmp_path: Path) -> Iterator[Bank]:
    created = Bank(tmp_path)
    yield created
    created.close()


def test_keys_of_a_pad_are_one_hidden_step(bank: Bank) -> None:
    bank.press("314159")
    bank.tap(180, 750)
    typed, done = bank.steps()
    assert typed.action == Type("", 6, redacted=True)
    assert typed.description == "Type a hidden text"
    assert typed.redacted
    assert typed.state.secure
    assert typed.target is None
    assert done.description == "Tap 'Continue'"


def test_keys_pressed_are_counted_until_they_are_a_step(bank: Bank) -> None:
    assert bank.recorder.gathered == 0
    bank.press("314<")
    assert bank.recorder.gathered == 2
    assert bank.writer.steps == ()
    assert len(bank.steps()) == 1
    assert bank.recorder.gathered == 0


def test_deleted_keys_do_not_count(bank: Bank) -> None:
    bank.press("31<415<<<9")
    (typed,) = bank.steps()
    assert typed.action == Type("", 2, redacted=True)


def test_keys_tapped_as_fast_as_a_double_tap_all_count(bank: Bank) -> None:
    bank.press("112233", gap_ms=80)
    (typed,) = bank.steps()
    assert typed.action == Type("", 6, redacted=True)


def test_a_key_then_something_else_at_once_is_no_double_tap_on_the_key(bank: Bank) -> None:
    bank.press("0", gap_ms=80)
    bank.tap(180, 725)
    assert [step.description for step in bank.steps()] == ["Type a hidden text", "Tap 'Continue'"]


def test_a_pin_of_the_computers_keyboard_is_hidden_too(bank: Bank) -> None:
    for digit in "314159":
        bank.recorder.text(digit)
    (typed,) = bank.steps()
    assert typed.action == Type("", 6, redacted=True)


def test_nothing_on_the_disk_tells_one_pin_from_another(tmp_path: Path) -> None:
    stored = []
    for name, pin in (("one", "314159"), ("other", "271828")):
        bank = Bank(tmp_path / name)
        bank.press(pin)
        bank.tap(180, 750)
        bank.recorder.finish()
        bank.steps()
        bank.close()
        stored.append(bank)
        points = [step.action.point for step in open_trajectory(bank.writer.folder).steps if step.action]
        assert points == [None, Point(180, 750)]
    first, other = (bank.on_disk() for bank in stored)
    assert first.keys() == other.keys()
    assert [_timeless(first[name]) for name in first] == [_timeless(other[name]) for name in first]


def _timeless(data: bytes) -> bytes:
    """Without the times of day, which differ from run to run."""
    return re.sub(rb"20\d\d-\d\d-\d\dT[0-9:.+Z]+", b"", data)


def test_with_the_setting_off_they_are_plain_taps(tmp_path: Path) -> None:
    bank = Bank(tmp_path, hide=False)
    bank.press("31")
    steps = bank.steps()
    bank.close()
    assert [step.description for step in steps] == ["Tap '3'", "Tap '1'"]


def test_a_pad_on_an_open_window_is_tapped_as_anything_else(tmp_path: Path) -> None:
    bank = Bank(tmp_path, secure=False)
    bank.press("3")
    steps = bank.steps()
    bank.close()
    assert [step.description for step in steps] == ["Tap '3'"]


def test_what_is_done_between_splits_the_typing(bank: Bank) -> None:
    bank.press("31")
    bank.recorder.key("back")
    bank.press("4")
    output = [step.description for step in bank.steps()]
    assert output == ["Type a hidden text", "Press Back", "Type a hidden text"]


def test_a_slip_of_the_finger_on_a_key_is_still_that_key() -> None:
    tree = parse_tree(hierarchy(*PAD))
    assert key_of([tree], Swipe(25, 325, 90, 390)) is PinPadKey.CHARACTER
    assert key_of([tree], Swipe(25, 325, 180, 390)) is None
    assert key_of([None, tree], LongPress(60, 660, 900)) is PinPadKey.ERASE
    assert key_of([tree], Tap(180, 750)) is None


def test_one_button_of_one_character_makes_no_pad() -> None:
    alone = parse_tree(hierarchy(node(text="×", clickable="true", bounds="[0,0][60,60]")))
    assert key_of([alone], Tap(5, 5)) is None
