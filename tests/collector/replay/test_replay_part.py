"""Replays of one step, from a step on, at a pace, and what a dry run says of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.model.action import Invalid, Tap, Type
from collector.model.errors import UserError
from collector.replay.outcomes import ReplayStatus
from collector.replay.replay_options import ReplayOptions
from collector.replay.replay_part import ReplayPart
from collector.replay.replay_plan import plan_replay
from collector.replay.timing import ReplayTiming, TimingKind
from tests.collector.replay.test_replay import ORDER, SCREENS, STEPS_MADE, replay_of
from tests.helpers.fake_phone import FakePhone, recorded_step

TIMED = [replace(step, t_ms=at) for step, at in zip(STEPS_MADE, (500, 2_750, 9_000), strict=True)]


def standing_at(screen: str) -> FakePhone:
    return FakePhone(dict(SCREENS), screen, led=lambda shown, what: ORDER[shown])


def test_one_step_is_done_on_the_phone_as_it_stands_and_not_judged() -> None:
    phone = standing_at("List")
    result = replay_of(phone, part=ReplayPart(1, 1)).run()
    assert (result.status, [outcome.index for outcome in result.steps]) == (ReplayStatus.DONE, [1])
    assert result.verdict is None
    assert phone.shown == "Item"
    assert not any("force-stop" in line or "am start" in line for line in phone.commands)


def test_a_step_is_not_done_on_another_screen() -> None:
    phone = standing_at("Home")
    result = replay_of(phone, part=ReplayPart(1, 1)).run()
    assert result.status is ReplayStatus.DIVERGED
    assert phone.shown == "Home"


def test_from_a_step_on_the_rest_is_done_and_judged() -> None:
    phone = standing_at("List")
    result = replay_of(phone, part=ReplayPart(1)).run()
    assert [outcome.index for outcome in result.steps] == [1]
    assert result.verdict is not None
    assert result.verdict.holds
    assert not any("force-stop" in line for line in phone.commands)


@pytest.mark.parametrize(
    ("timing", "gaps"),
    [
        (ReplayTiming(), [0.0, 0.0]),
        (ReplayTiming(TimingKind.RECORDED), [0.0, 2.25]),
        (ReplayTiming(TimingKind.FIXED, 0.7), [0.0, 0.7]),
    ],
)
def test_an_action_is_due_so_long_after_the_one_before(
    timing: ReplayTiming, gaps: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    replay = replay_of(standing_at("Home"), TIMED, timing=timing)
    waited, planned_gaps = [], list(gaps)
    monkeypatch.setattr(replay.observer, "pause", waited.append)
    monkeypatch.setattr("collector.replay.replay.time.monotonic", lambda: 100.0)
    for _step in range(2):
        before = len(waited)
        assert replay.advance().status is ReplayStatus.DONE
        assert waited[before] == pytest.approx(gaps.pop(0))
    planned = plan_replay(TIMED, ReplayOptions(timing=timing)).steps
    assert [step.after_s for step in planned] == planned_gaps


def test_a_wait_for_the_pace_is_cancelled() -> None:
    replay = replay_of(standing_at("Home"), TIMED, timing=ReplayTiming(TimingKind.FIXED, 60.0))
    assert replay.advance().status is ReplayStatus.DONE
    replay.cancel()
    assert replay.advance().status is ReplayStatus.CANCELLED


def test_a_plan_says_what_would_be_done_and_what_cannot_be() -> None:
    under_dialog = recorded_step(Tap(1, 1), index=2)
    under_dialog = replace(under_dialog, extra={"anomaly": {"injection": "a", "over": "com.example.shop"}})
    steps = [
        *TIMED[:2], under_dialog,
        recorded_step(Type(redacted=True), index=3), recorded_step(Invalid("dance"), index=4),
        recorded_step(None, index=5),
    ]  # fmt: skip
    plan = plan_replay(steps, ReplayOptions(timing=ReplayTiming(TimingKind.RECORDED)))
    assert [each.step.index for each in plan.steps] == [0, 1, 3, 4]
    assert plan.left_out == (2,)
    assert plan.app == steps[0].state.package
    assert [each.selector for each in plan.steps[:2]] == ["text='Shop'", "text='Poster'"]
    assert plan.steps[1].after_s == 2.25
    assert [bool(each.problem) for each in plan.steps] == [False, False, True, True]
    given = plan_replay(steps, ReplayOptions(texts={3: "secret"}, part=ReplayPart(1, 3)))
    assert [(each.step.index, each.problem) for each in given.steps] == [(1, ""), (3, "")]
    assert given.app == ""
    for number, why in ((9, "its steps are 1 to 6"), (5, "nothing is done there"), (2, "an interruption")):
        with pytest.raises(UserError, match=why):
            plan_replay(steps, ReplayOptions(part=ReplayPart(number, number)))
