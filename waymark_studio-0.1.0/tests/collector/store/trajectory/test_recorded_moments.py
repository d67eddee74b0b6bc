"""What rules and phones did between the steps, as the events of a run have it."""

from dataclasses import replace

from collector.store.trajectory.recorded_moments import (
    RecordedDeviceEvent,
    RecordedRuleHit,
    device_events_in,
    rule_hits_in,
)
from tests.helpers.sample_steps import sample_steps


def decide(step, *decisions):
    return {"kind": "cycle", "phase": "decide", "step": step, "rules": list(decisions), "silent": ["never"]}


def test_rules_that_fired_or_nearly_did_are_read():
    events = [
        decide(0),
        decide(2, {"rule": "low", "outcome": "fired", "anomaly": "battery_low", "draw": 0.2}),
        decide(
            3, {"rule": "low", "outcome": "suppressed", "reason": "once"}, {"rule": "b", "outcome": "near"}
        ),
        {"kind": "cycle", "phase": "act", "step": 3},
    ]
    assert rule_hits_in(events) == (
        RecordedRuleHit(2, "low", "fired", "", "battery_low"),
        RecordedRuleHit(3, "low", "suppressed", "once"),
        RecordedRuleHit(3, "b", "near"),
    )


def test_lines_that_are_not_understood_are_left_out():
    odd = [
        {},
        {"phase": "decide"},
        decide("two", {"rule": "a", "outcome": "fired"}),
        decide(1, "fired", {"outcome": "other"}),
        {"kind": "cycle", "phase": "decide", "step": 1, "rules": None},
        {"kind": "cycle", "control": "dancing", "step": 1},
    ]
    assert rule_hits_in(odd) == ()
    assert device_events_in(odd) == ()


def test_device_events_stand_before_the_step_that_came_next():
    steps = sample_steps()
    steps[5:] = [replace(step, state=replace(step.state, rotation=1)) for step in steps[5:]]
    events = [
        {"kind": "pause", "t_ms": 9000},
        {"kind": "cycle", "phase": "hold", "control": "taken_over", "person": "lin", "step": 4},
        {"kind": "phone_lost", "t_ms": 99_000, "reason": "The phone is gone"},
        {"kind": "anomaly", "t_ms": 1, "transition": "injected"},
    ]
    assert device_events_in(events, steps) == (
        RecordedDeviceEvent(3, "pause"),
        RecordedDeviceEvent(4, "taken_over", "lin"),
        RecordedDeviceEvent(5, "rotated", "90"),
        RecordedDeviceEvent(10, "phone_lost", "The phone is gone"),
    )
