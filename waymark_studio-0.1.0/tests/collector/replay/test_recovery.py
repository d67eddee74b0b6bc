"""The ways back to a screen a replay knows, each counted, and all of them bounded."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.adb.keys import CODES
from collector.model.action import Tap
from collector.model.geometry import Rect
from collector.replay.guard import ReadyStep
from collector.replay.outcomes import ReplayStatus
from collector.replay.recovery import MOST_BACKS, RecoveryMove, ReplayRecovery
from collector.replay.replay import Replay
from collector.replay.replay_options import ReplayOptions
from tests.helpers.dumps import node
from tests.helpers.fake_phone import APP, FakePhone, recorded_step
from tests.helpers.memory_trajectory import MemoryTrajectory

BOX = Rect(0, 100, 400, 200)
BACK = CODES["BACK"]


def button(text):
    return node(text=text, clickable="true", bounds=str(BOX))


class Made(MemoryTrajectory):
    steps = [  # noqa: RUF012 - the same for all, never changed
        recorded_step(Tap(50, 150), (f"text={name!r}",), BOX, index=index, activity=f".{name}", text=name)
        for index, name in enumerate(("Home", "List", "Item"))
    ]

    def tree(self, step):
        return None


@pytest.fixture
def phone():
    screens = {name: (button(name),) for name in ("Home", "List", "Item", "Other", "Deep")}
    return FakePhone(screens, "Home", packages={"Other": "com.other", "Deep": "com.other"})


def at_item(phone):
    replay = Replay(Made("task", ()), phone.phone, ReplayOptions(patience_s=0.2))
    replay.next = 2
    return replay, ReplayRecovery(replay)


def test_back_leaves_the_pages_in_front(phone):
    phone.shown = "Deep"
    back = {"Deep": "Other", "Other": "Item"}
    phone.led = lambda shown, what: back.get(shown, shown) if what == BACK else shown
    replay, recovery = at_item(phone)
    assert isinstance(recovery.find(replay.look()), ReadyStep)
    assert recovery.ways == [RecoveryMove.BACK, RecoveryMove.BACK]


def test_an_app_left_is_opened_again(phone):
    phone.shown = "Other"
    shell = phone.shell

    def opening(command, **more):
        if f"-n {APP}/.Main" in str(command):
            phone.shown = "Item"
        return shell(command, **more)

    phone.shell = opening
    replay, recovery = at_item(phone)
    assert isinstance(recovery.find(replay.look()), ReadyStep)
    assert recovery.ways == [RecoveryMove.REOPENED]
    assert phone.keys == [BACK]  # which changed nothing, and was not pressed again


def test_an_app_that_began_anew_is_gone_through_again(phone):
    phone.shown = "Home"
    replay, recovery = at_item(phone)
    sight = recovery.find(replay.look())
    assert isinstance(sight, ReadyStep)
    assert sight.step.index == replay.next == 0
    assert recovery.ways == [RecoveryMove.REOPENED, RecoveryMove.REPEATED]


def test_where_no_way_leads_back_it_fails_as_before_and_presses_no_more_than_it_may(phone, monkeypatch):
    monkeypatch.setattr("collector.replay.recovery.LOOK_S", 0.0)
    phone.shown = "Other"
    flip = {"Other": "Deep", "Deep": "Other"}
    phone.led = lambda shown, what: flip[shown]
    replay, recovery = at_item(phone)
    failed = replay.look()
    for _time in range(6):
        assert recovery.find(failed) is failed
    assert (recovery.ways, replay.next) == ([], 2)
    assert len(phone.keys) <= 4 * MOST_BACKS


def test_a_phone_that_goes_away_meanwhile_is_lost(phone):
    phone.shown = "Other"
    replay, recovery = at_item(phone)
    failed = replay.look()
    phone.gone = True
    assert recovery.find(failed).status is ReplayStatus.LOST


def test_where_no_app_is_known_the_home_screen_is_tried(phone):
    replay, recovery = at_item(phone)
    replay.app, phone.shown = "", "Other"
    replay.steps = [replace(step, state=replace(step.state, package="")) for step in replay.steps]
    assert recovery.find(replay.look(0)).status is ReplayStatus.DIVERGED
    assert not [line for line in phone.commands if "am start" in line]
