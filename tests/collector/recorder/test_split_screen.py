"""Two apps share the screen, and apps follow each other: a step is about the app that was touched."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.action import Key, Tap
from collector.model.geometry import Point
from collector.replay.guard import ReadyStep, guard_step
from tests.helpers.dumps import node
from tests.helpers.fake_phone import FakePhone
from tests.helpers.recorder_rig import RecorderRig

UPPER = node(
    node(text="Buy", clickable="true", resource_id="com.example.shop:id/buy", bounds="[0,0][360,390]"),
    package="com.example.shop", bounds="[0,0][360,390]",
)  # fmt: skip
LOWER = node(
    node(text="Send", clickable="true", resource_id="com.example.mail:id/send", bounds="[200,700][360,800]"),
    package="com.example.mail", bounds="[0,410][360,800]",
)  # fmt: skip
DIVIDER = node(package="com.android.systemui", content_desc="Divider", bounds="[0,390][360,410]")


@pytest.fixture
def rig(tmp_path: Path) -> Iterator[RecorderRig]:
    rig = RecorderRig(tmp_path)
    yield rig
    rig.close()


def test_a_touch_on_the_other_half_finds_its_target_there(rig: RecorderRig) -> None:
    rig.source.front = ("com.example.mail", ".Main")
    rig.screen(10, UPPER, DIVIDER, LOWER)
    rig.tap(100, 200)
    rig.pass_ms(1000)
    rig.tap(280, 750)
    upper, lower = rig.steps()
    assert [step.description for step in (upper, lower)] == ["Tap 'Buy'", "Tap 'Send'"]
    assert upper.target is not None
    assert upper.target.selectors[0] == "resource-id='com.example.shop:id/buy'"
    phone = FakePhone({"Main": (UPPER, DIVIDER, LOWER)}, "Main", packages={"Main": "com.example.mail"})
    for step, place in ((upper, Point(100, 200)), (lower, Point(280, 750))):
        ready = guard_step(step, parse_tree(rig.file(step.state.tree)), phone.screen())
        assert isinstance(ready, ReadyStep)
        assert isinstance(ready.action, Tap)
        assert ready.action.point == place


def test_going_to_another_app_and_back_is_said_by_the_screens_between(rig: RecorderRig) -> None:
    rig.screen(10, UPPER)
    rig.recorder.key("recents")
    rig.pass_ms(500)
    rig.source.front = ("com.android.launcher", ".Recents")
    mail = node(content_desc="Mail", clickable="true", bounds="[60,100][300,600]")
    rig.screen(80, mail)
    rig.pass_ms(1000)
    rig.tap(100, 300)
    rig.pass_ms(500)
    rig.source.front = ("com.example.mail", ".Compose")
    rig.screen(160, LOWER)
    rig.pass_ms(1000)
    rig.tap(280, 750)
    steps = rig.steps()
    assert [step.state.package for step in steps] == [
        "com.example.shop", "com.android.launcher", "com.example.mail"]  # fmt: skip
    assert [type(step.action) for step in steps] == [Key, Tap, Tap]
    assert [step.description for step in steps] == ["Press Recents", "Tap 'Mail'", "Tap 'Send'"]
