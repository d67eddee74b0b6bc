"""Passwords never reach the disk."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from collector.model.action import (
    Type,
)  # fmt: skip
from tests.helpers.dumps import node
from tests.helpers.recorder_rig import FIELD, SECRET, RecorderRig


@pytest.mark.fault("F35")
def test_a_password_never_reaches_the_disk(rig: RecorderRig) -> None:
    rig.screen(90, SECRET)
    rig.tap(50, 150)
    rig.recorder.text("hunter2")
    rig.pass_ms(2000)
    rig.recorder.finish()
    steps = rig.steps()
    assert steps[1].action == Type("", 7, redacted=True)
    assert steps[1].description == "Type a hidden text into 'password'"
    assert all(step.redacted for step in steps)
    everything = b"".join(path.read_bytes() for path in rig.writer.folder.rglob("*") if path.is_file())
    assert b"hunter2" not in everything
    pixels = np.asarray(Image.open(io.BytesIO(rig.file(steps[0].state.screenshot))))
    assert pixels[100:200].max() == 0
    assert pixels[200:].min() == 90


def test_passwords_are_recorded_where_a_person_allowed_it(rig: RecorderRig) -> None:
    rig.recorder.close()
    rig.recorder = rig.record(hide_passwords=False)
    rig.screen(90, SECRET)
    rig.tap(50, 150)
    rig.recorder.text("hunter2")
    rig.pass_ms(2000)
    rig.recorder.finish()
    steps = rig.steps()
    assert steps[1].action == Type("hunter2", 7)
    assert not any(step.redacted for step in steps)
    pixels = np.asarray(Image.open(io.BytesIO(rig.file(steps[0].state.screenshot))))
    assert pixels[100:200].max() == 90


def test_typing_where_focus_is_not_known_and_a_password_field_is_near_is_redacted(rig: RecorderRig) -> None:
    rig.screen(
        90, node(node(password="true", bounds="[0,100][360,200]"), FIELD.replace('focused="true"', ""))
    )
    rig.tap(50, 150)
    rig.pass_ms(100)
    rig.recorder.text("hunter2")
    assert rig.actions()[-1] == Type("", 7, redacted=True)


def test_a_password_that_is_made_visible_later_is_hidden_there(rig: RecorderRig) -> None:
    rig.screen(90, SECRET)
    rig.tap(50, 150)
    rig.recorder.text("hunter2")
    rig.pass_ms(2000)
    rig.screen(90, node(node(text="hunter2", clickable="true", bounds="[0,100][360,200]"), FIELD))
    rig.tap(50, 150)
    rig.recorder.finish()
    everything = b"".join(path.read_bytes() for path in rig.writer.folder.rglob("*") if path.is_file())
    assert b"hunter2" not in everything
    pixels = np.asarray(Image.open(io.BytesIO(rig.file(rig.steps()[2].state.screenshot))))
    assert (pixels[100:200].max(), pixels[200:].min()) == (0, 90)


def test_a_visible_field_that_is_named_for_a_password_takes_one(rig: RecorderRig) -> None:
    rig.screen(90, SECRET.replace('password="true"', ""))
    rig.recorder.text("hunter2")
    rig.pass_ms(2000)
    assert rig.actions()[-1] == Type(redacted=True)


def test_typing_on_a_screen_that_nobody_could_read_is_redacted(rig: RecorderRig, monkeypatch) -> None:
    monkeypatch.setattr(rig.source, "newest_tree", lambda: None)
    rig.recorder.text("hunter2")
    rig.pass_ms(2000)
    assert rig.actions()[-1] == Type(redacted=True)
