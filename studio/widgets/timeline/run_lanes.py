"""The lanes of what happened in a run beside its actions: rule hits, device events and latency. No Qt."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from collector.comparison.steps.moment_text import (
    event_name,
    event_sentence,
    events_by_step,
    hit_name,
    hit_sentence,
    hits_by_step,
)
from collector.model.i18n import N_, _
from collector.model.trajectory import Step
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
_EVENT_ICONS = {
    moments.PHONE_LOST: "state-err",
    moments.PAUSED: "pause",
    moments.RESUMED: "play",
    moments.TAKEN_OVER: "hand",
    moments.STOPPING: "stop",
    moments.ROTATED: "rotate",
}
_PHASES = {"observe": N_("observe"), "think": N_("think"), "act": N_("act"), "settle": N_("settle")}


def rule_hit_lane(hits: Sequence[RecordedRuleHit]) -> MarkLane:
    """The injection rules that fired, nearly fired or were suppressed, one mark a step."""
    at = hits_by_step(hits)
    steps = list(at)
    marks = LazyMarks(steps, lambda place: _hit_mark(steps[place], at[steps[place]]))
    return MarkLane(_("Rule hits"), "tree", marks)


def _hit_mark(step: int, hits: list[RecordedRuleHit]) -> LaneMark:
    """What fired has its name; a near miss or what was suppressed is a shape, named by its tooltip."""
    first, *others = hits
    parts = tuple(MarkPart(_HIT_ICONS[hit.outcome], hit_name(hit)) for hit in others)
    tone = "accent" if first.outcome == moments.FIRED else "text-2"
    tip = "\n".join(map(hit_sentence, hits))
    return LaneMark(step, hit_name(first), _HIT_ICONS[first.outcome], tone, parts=parts, tip=tip)


def device_event_lane(events: Sequence[RecordedDeviceEvent]) -> MarkLane:
    """Events of the phone and of who moved it, one mark a step."""
    marks = []
    for step, (first, *others) in events_by_step(events).items():
        tone = "err" if first.kind == moments.PHONE_LOST else "text-2"
        parts = tuple(MarkPart(_EVENT_ICONS[event.kind], event_name(event)) for event in others)
        tip = "\n".join(map(event_sentence, (first, *others)))
        marks.append(LaneMark(step, event_name(first), _EVENT_ICONS[first.kind], tone, parts=parts, tip=tip))
    return MarkLane(_("Device events"), "phone", marks)


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
