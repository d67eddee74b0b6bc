"""What happened between the steps of a trajectory: decisions of rules, and events of its phone and people.

Read from ``events.jsonl``; injected anomalies are read by :mod:`collector.store.trajectory.interruptions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.model.trajectory import Step

FIRED, SUPPRESSED, NEAR = "fired", "suppressed", "near"
"""Outcomes of a rule at a step, as the cycle of an episode writes them."""
PHONE_LOST, PAUSED, RESUMED, TAKEN_OVER, STOPPING, ROTATED = (
    "phone_lost", "pause", "resume", "taken_over", "stopping", "rotated",
)  # fmt: skip
"""Kinds of device events."""
_CONTROLS = {"paused": PAUSED, "running": RESUMED, "taken_over": TAKEN_OVER, "stopping": STOPPING}


@dataclass(frozen=True, slots=True)
class RecordedRuleHit:
    """What an injection rule came to on the screen of a step."""

    step: int
    rule: str
    outcome: str
    """fired, suppressed or near."""
    reason: str = ""
    """Of a suppressed rule, as in :data:`collector.rules.evaluation.trajectory_run.WHY_SUPPRESSED`."""
    anomaly: str = ""


@dataclass(frozen=True, slots=True)
class RecordedDeviceEvent:
    """Something that happened to the phone, or to who moves it, before a step was taken."""

    step: int
    kind: str
    detail: str = ""
    """The reason, or the person."""


@dataclass(frozen=True, slots=True)
class RecordedMoments:
    """What happened between the steps of a trajectory, in order."""

    rule_hits: tuple[RecordedRuleHit, ...] = ()
    device_events: tuple[RecordedDeviceEvent, ...] = ()


NO_MOMENTS = RecordedMoments()


def moments_of(events: Sequence[Mapping[str, Any]], steps: Sequence[Step]) -> RecordedMoments:
    """What the lines of ``events.jsonl`` and turns of the screen between ``steps`` say."""
    return RecordedMoments(rule_hits_in(events), device_events_in(events, steps))


def rule_hits_in(events: Iterable[Mapping[str, Any]]) -> tuple[RecordedRuleHit, ...]:
    """The rules that fired, nearly fired or were suppressed in a run, in order."""
    return tuple(hit for line in events if line.get("phase") == "decide" for hit in _hits_of(line))


def _hits_of(line: Mapping[str, Any]) -> Iterator[RecordedRuleHit]:
    step, decisions = line.get("step"), line.get("rules")
    if not isinstance(step, int) or not isinstance(decisions, list):
        return
    for decision in decisions:
        if isinstance(decision, Mapping) and decision.get("outcome") in (FIRED, SUPPRESSED, NEAR):
            texts = {key: str(decision.get(key) or "") for key in ("rule", "outcome", "reason", "anomaly")}
            yield RecordedRuleHit(step, **texts)


def device_events_in(
    events: Iterable[Mapping[str, Any]], steps: Sequence[Step] = ()
) -> tuple[RecordedDeviceEvent, ...]:
    """Events of the phone and of who moved it, and turns of the screen, in the order of their steps."""
    recorded = [event for line in events if (event := _event_of(line, steps)) is not None]
    turned = [
        RecordedDeviceEvent(place, ROTATED, str(step.state.rotation * 90))
        for place, step in enumerate(steps)
        if place and step.state.rotation != steps[place - 1].state.rotation
    ]
    return tuple(sorted((*recorded, *turned), key=lambda event: event.step))


def _event_of(line: Mapping[str, Any], steps: Sequence[Step]) -> RecordedDeviceEvent | None:
    kind = line.get("kind")
    if kind not in (PHONE_LOST, PAUSED, RESUMED):
        kind = _CONTROLS.get(str(line.get("control", "")))
    if kind is None:
        return None
    step, moment = line.get("step"), line.get("t_ms")
    if not isinstance(step, int):
        step = sum(taken.t_ms < moment for taken in steps) if isinstance(moment, int) else 0
    return RecordedDeviceEvent(step, str(kind), str(line.get("reason") or line.get("person") or ""))
