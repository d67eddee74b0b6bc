"""What happened between the steps of a trajectory, in words: rule hits, and what phone and people did."""

from __future__ import annotations

from collections.abc import Iterable

from collector.model.i18n import N_, _
from collector.rules.evaluation.trajectory_run import LIMIT, ONCE, WHY_SUPPRESSED
from collector.store.trajectory import recorded_moments as moments
from collector.store.trajectory.recorded_moments import RecordedDeviceEvent, RecordedRuleHit

_HIT_WORDS = {moments.FIRED: N_("fires"), moments.NEAR: N_("near miss"), moments.SUPPRESSED: N_("suppressed")}
_HIT_ORDER = tuple(_HIT_WORDS)
_NO_NEWS = (ONCE, LIMIT)
_EVENT_WORDS = {
    moments.PHONE_LOST: N_("phone lost"),
    moments.PAUSED: N_("paused"),
    moments.RESUMED: N_("went on"),
    moments.TAKEN_OVER: N_("taken over"),
    moments.STOPPING: N_("stopped"),
    moments.ROTATED: N_("screen turned"),
}


def hits_by_step(hits: Iterable[RecordedRuleHit]) -> dict[int, list[RecordedRuleHit]]:
    """The hits of each step, what fired first.

    That a rule may not fire again is no news at every step that follows, and left out.
    """
    at: dict[int, list[RecordedRuleHit]] = {}
    for hit in hits:
        if hit.reason not in _NO_NEWS:
            at.setdefault(hit.step, []).append(hit)
    return {step: sorted(at[step], key=lambda hit: _HIT_ORDER.index(hit.outcome)) for step in sorted(at)}


def hit_name(hit: RecordedRuleHit) -> str:
    """What fired has its name; a near miss or what was suppressed is told by its icon alone."""
    return hit.rule if hit.outcome == moments.FIRED else ""


def hit_sentence(hit: RecordedRuleHit) -> str:
    """What an injection rule came to, what it injects, and why it was suppressed."""
    line = f"{hit.rule}: {_(_HIT_WORDS[hit.outcome])}"
    why = WHY_SUPPRESSED.get(hit.reason)
    return " · ".join(filter(None, (line, hit.anomaly, _(why) if why else hit.reason)))


def events_by_step(events: Iterable[RecordedDeviceEvent]) -> dict[int, list[RecordedDeviceEvent]]:
    """The events of each step, in order."""
    at: dict[int, list[RecordedDeviceEvent]] = {}
    for event in events:
        at.setdefault(event.step, []).append(event)
    return dict(sorted(at.items()))


def event_name(event: RecordedDeviceEvent) -> str:
    """What happened, as in ``phone lost``."""
    return _(_EVENT_WORDS[event.kind])


def event_sentence(event: RecordedDeviceEvent) -> str:
    """What happened, with the reason or the person."""
    words = event_name(event)
    detail = f"{event.detail}°" if event.kind == moments.ROTATED else event.detail
    return f"{words}: {detail}" if detail else words
