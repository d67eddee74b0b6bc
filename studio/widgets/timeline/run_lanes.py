"""The lanes of what happened in a run beside its actions: rule hits, device events and latency. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from collector.model.i18n import N_, _
from collector.model.trajectory import Step
from collector.rules.evaluation.trajectory_run import LIMIT, ONCE, WHY_SUPPRESSED
from collector.store.trajectory import recorded_moments as moments
from collector.store.trajectory.recorded_moments import RecordedDeviceEvent, RecordedRuleHit
from studio.widgets.timeline.lanes import (
    PLAIN_TONE,
    SLOW_TONE,
    LaneMark,
    LaneTick,
    LazyMarks,
    MarkLane,
    MarkPart,
)

_HIT_ICONS = {moments.FIRED: "state-fire", moments.NEAR: "state-near", moments.SUPPRESSED: "state-never"}
_HIT_ORDER = tuple(_HIT_ICONS)
_HIT_WORDS = {moments.FIRED: N_("fires"), moments.NEAR: N_("near miss"), moments.SUPPRESSED: N_("suppressed")}
_NO_NEWS = (ONCE, LIMIT)
_EVENT_ICONS = {
    moments.PHONE_LOST: "state-err",
    moments.PAUSED: "pause",
    moments.RESUMED: "play",
    moments.TAKEN_OVER: "hand",
    moments.STOPPING: "stop",
    moments.ROTATED: "rotate",
}
_EVENT_WORDS = {
    moments.PHONE_LOST: N_("phone lost"),
    moments.PAUSED: N_("paused"),
    moments.RESUMED: N_("went on"),
    moments.TAKEN_OVER: N_("taken over"),
    moments.STOPPING: N_("stopped"),
    moments.ROTATED: N_("screen turned"),
}
_PHASES = {"observe": N_("observe"), "think": N_("think"), "act": N_("act"), "settle": N_("settle")}


def rule_hit_lane(hits: Sequence[RecordedRuleHit]) -> MarkLane:
    """The injection rules that fired, nearly fired or were suppressed, one mark a step.

    That a rule may not fire again is no news at every step that follows, and left out.
    """
    at: dict[int, list[RecordedRuleHit]] = {}
    for hit in hits:
        if hit.reason not in _NO_NEWS:
            at.setdefault(hit.step, []).append(hit)
    steps = sorted(at)
    marks = LazyMarks(steps, lambda place: _hit_mark(steps[place], at[steps[place]]))
    return MarkLane(_("Rule hits"), "tree", marks)


def _hit_mark(step: int, hits: list[RecordedRuleHit]) -> LaneMark:
    """What fired has its name; a near miss or what was suppressed is a shape, named by its tooltip."""
    first, *others = sorted(hits, key=lambda hit: _HIT_ORDER.index(hit.outcome))
    parts = tuple(MarkPart(_HIT_ICONS[hit.outcome], _hit_name(hit)) for hit in others)
    tone = "accent" if first.outcome == moments.FIRED else "text-2"
    tip = "\n".join(_hit_line(hit) for hit in (first, *others))
    return LaneMark(step, _hit_name(first), _HIT_ICONS[first.outcome], tone, parts=parts, tip=tip)


def _hit_name(hit: RecordedRuleHit) -> str:
    return hit.rule if hit.outcome == moments.FIRED else ""


def _hit_line(hit: RecordedRuleHit) -> str:
    line = f"{hit.rule}: {_(_HIT_WORDS[hit.outcome])}"
    why = WHY_SUPPRESSED.get(hit.reason)
    return " · ".join(filter(None, (line, hit.anomaly, _(why) if why else hit.reason)))


def device_event_lane(events: Sequence[RecordedDeviceEvent]) -> MarkLane:
    """Events of the phone and of who moved it, one mark a step."""
    at: dict[int, list[RecordedDeviceEvent]] = {}
    for event in events:
        at.setdefault(event.step, []).append(event)
    marks = []
    for step, (first, *others) in sorted(at.items()):
        tone = "err" if first.kind == moments.PHONE_LOST else "text-2"
        parts = tuple(MarkPart(_EVENT_ICONS[event.kind], _(_EVENT_WORDS[event.kind])) for event in others)
        tip = "\n".join(_event_line(event) for event in (first, *others))
        words = _(_EVENT_WORDS[first.kind])
        marks.append(LaneMark(step, words, _EVENT_ICONS[first.kind], tone, parts=parts, tip=tip))
    return MarkLane(_("Device events"), "phone", marks)


def _event_line(event: RecordedDeviceEvent) -> str:
    words = _(_EVENT_WORDS[event.kind])
    detail = f"{event.detail}°" if event.kind == moments.ROTATED else event.detail
    return f"{words}: {detail}" if detail else words


def latency_ms(step: Step) -> int:
    """How long an agent took for a step, from reading the screen until it rested again; 0 for a person."""
    return sum(step.agent.timings_ms.values()) if step.agent is not None else 0


@dataclass(slots=True)
class LatencyLane:
    """A column for the latency of each step, as high as its share of ``most_ms``."""

    steps: Sequence[Step]
    most_ms: int
    title: str = ""
    icon: str = "clock"

    def __post_init__(self) -> None:
        self.title = self.title or _("Latency")

    def is_empty(self) -> bool:
        return not any(latency_ms(step) for step in self.steps)

    def _in_range(self, first: int, last: int) -> range:
        return range(max(0, first), min(last + 1, len(self.steps)))

    def marks(self, first: int, last: int) -> list[LaneMark]:
        return [
            LaneMark(
                number, _seconds(taken), span=1, tip=_phases_tip(self.steps[number].agent.timings_ms),  # type: ignore[union-attr]
                level=min(1.0, taken / max(1, self.most_ms)),
            )
            for number in self._in_range(first, last)
            if (taken := latency_ms(self.steps[number]))
        ]  # fmt: skip

    def ticks(self, first: int, last: int) -> list[LaneTick]:
        return [
            LaneTick(
                number, 1, SLOW_TONE if latency_ms(self.steps[number]) > self.most_ms / 2 else PLAIN_TONE
            )
            for number in self._in_range(first, last)
            if latency_ms(self.steps[number])
        ]


def _seconds(milliseconds: int) -> str:
    return _("{seconds} s", seconds=f"{milliseconds / 1000:.1f}")


def _phases_tip(timings_ms: Mapping[str, int]) -> str:
    names = {phase: _(_PHASES[phase]) if phase in _PHASES else phase for phase in timings_ms}
    return "\n".join(f"{names[phase]}: {_seconds(taken)}" for phase, taken in timings_ms.items())
