"""Passwords and marked places never reach the disk."""

from __future__ import annotations

import io

import numpy as np
from PIL import Image

from collector.model.action import (
    Type,
)  # fmt: skip
from collector.model.geometry import Rect
from tests.helpers.desk import FIELD, SECRET, Desk
from tests.helpers.dumps import node


def test_a_password_never_reaches_the_disk(desk: Desk) -> None:
    desk.screen(90, SECRET)
    desk.tap(50, 150)
    desk.recorder.text("hunter2")
    desk.pass_ms(2000)
    desk.recorder.finish()
    steps = desk.steps()
    assert steps[1].action == Type("", 7, redacted=True)
    assert steps[1].description == "Type 7 characters into 'password'"
    assert all(step.redacted for step in steps)
    everything = b"".join(path.read_bytes() for path in desk.writer.folder.rglob("*") if path.is_file())
    assert b"hunter2" not in everything
    pixels = np.asarray(Image.open(io.BytesIO(desk.file(steps[0].state.screenshot))))
    assert pixels[100:200].max() == 0
    assert pixels[200:].min() == 90


def test_passwords_are_recorded_where_a_person_allowed_it(desk: Desk) -> None:
    desk.recorder.close()
    desk.recorder = desk.record(hide_passwords=False)
    desk.screen(90, SECRET)
    desk.tap(50, 150)
    desk.recorder.text("hunter2")
    desk.pass_ms(2000)
    desk.recorder.finish()
    steps = desk.steps()
    assert steps[1].action == Type("hunter2", 7)
    assert not any(step.redacted for step in steps)
    pixels = np.asarray(Image.open(io.BytesIO(desk.file(steps[0].state.screenshot))))
    assert pixels[100:200].max() == 90


def test_typing_where_focus_is_not_known_and_a_password_field_is_near_is_redacted(desk: Desk) -> None:
    desk.screen(
        90, node(node(password="true", bounds="[0,100][360,200]"), FIELD.replace('focused="true"', ""))
    )
    desk.tap(50, 150)
    desk.pass_ms(100)
    desk.recorder.text("hunter2")
    assert desk.actions()[-1] == Type("", 7, redacted=True)


def test_marked_regions_are_black(desk: Desk) -> None:
    desk.recorder.set_private_regions((Rect(0, 0, 360, 100),))
    desk.tap()
    (step,) = desk.steps()
    pixels = np.asarray(Image.open(io.BytesIO(desk.file(step.state.screenshot))))
    assert pixels[:100].max() == 0
    assert pixels[100:].min() == 40
    assert step.redacted


def test_words_in_a_marked_region_reach_neither_tree_nor_caption_nor_typed_text(desk: Desk) -> None:
    desk.screen(60, node(node(text="4111 1111", clickable="true", bounds="[0,200][360,300]"), FIELD))
    desk.recorder.set_private_regions((Rect(0, 0, 360, 300),))
    desk.tap(50, 250)
    desk.recorder.text("my card")
    desk.recorder.finish()
    steps = desk.steps()
    assert steps[1].action == Type("", 7, redacted=True)
    everything = b"".join(path.read_bytes() for path in desk.writer.folder.rglob("*") if path.is_file())
    assert b"4111" not in everything
    assert b"my card" not in everything
    assert b"Search products" not in everything
