"""Build the track of one to four trajectories side by side, aligned by screen and action. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from collector.comparison.alignment.aligned import LETTERS, REFERENCE, AlignedTrajectories
from collector.comparison.steps.app_changes import AppChange
from collector.judge.risk_moments import RiskMoment
from collector.judge.target_events import TargetEvent
from collector.model.episode_text import verdict_text
from collector.model.i18n import _, join_sentences
from collector.model.predictions import invalid_of
from collector.model.verdicts.judgement import Judgement
from collector.store.trajectory.recorded_moments import NO_MOMENTS, RecordedMoments
from studio.widgets.captions.step_text import step_caption
from studio.widgets.captions.verdict_text import verdict_icon
from studio.widgets.timeline.aligned_lanes import AlignedFilm, AlignedMarks
from studio.widgets.timeline.anomalies import anomaly_lanes
from studio.widgets.timeline.axis import longest_step
from studio.widgets.timeline.lanes import (
    Lane,
    LaneGroup,
    LaneMark,
    MarkLane,
    MarkPart,
    RulerMark,
    StepActions,
    StepFilm,
    TextLane,
    Track,
)
from studio.widgets.timeline.run_lanes import LatencyLane, device_event_lane, latency_ms, rule_hit_lane
from studio.widgets.timeline.safety_lane import app_change_lane, risk_lane, safety_lane
from studio.widgets.timeline.target_lane import reached_parts, target_lanes
from studio.widgets.timeline.thoughts import thought_lane
from studio.widgets.timeline.verdicts import verdict_lanes

_LAST_STEP_MS = 1000
"""How long the last step of a trajectory is shown, by the clock."""


@dataclass(frozen=True, slots=True)
class StateMoment:
    """An essential state in one trajectory."""

    state: str
    """Its id; the same in all trajectories."""
    label: str
    step: int | None
    """The step that reaches it; None when none does."""
    tip: str = ""


@dataclass(frozen=True, slots=True)
class TrackSide:
    """What is shown of one trajectory beside its steps and its interruptions."""

    key: str
    """First part of the keys of its thumbnails; the second is the name of the picture."""
    name: str
    """As in ``Golden``."""
    about: str = ""
    """Who did it, as in ``lin``."""
    verdict: str = ""
    """success, failure or uncompleted; empty shows none."""
    judgements: Sequence[Judgement] = ()
    """The verdicts that count, for one lane a judge."""
    states: Sequence[StateMoment] = ()
    target: Sequence[TargetEvent] = ()
    """What became of the target of the task."""
    changes: Sequence[AppChange] = ()
    """What became other in the data of apps."""
    risks: Sequence[RiskMoment] = ()
    """The moments at which an agent should stop or ask."""
    sentences: Mapping[str, str] = field(default_factory=dict)
    """The sentence of an essential state by its id."""
    moments: RecordedMoments = NO_MOMENTS
    """What happened between its steps."""
    live: bool = False
    """Whether another program still writes it."""


def aligned_track(aligned: AlignedTrajectories, sides: Sequence[TrackSide]) -> Track:
    """The track of trajectories at the slots of their alignment; ``sides`` are in the same order."""
    places = _places(aligned, sides)
    count = len(places[0]) if places else 0
    most_ms = max((latency_ms(step) for each in aligned.reviewed for step in each.steps), default=0)
    reached = _Reached.of(sides[REFERENCE], places[REFERENCE]) if sides else _Reached()
    groups = [
        LaneGroup(
            _SideLanes(aligned, side, shown, places[side]).lanes(most_ms, reached),
            LETTERS[side],
            shown.name,
            shown.about,
            verdict_text(shown.verdict) if shown.verdict else "",
            verdict_icon(shown.verdict) if shown.verdict else "",
            _times(aligned, side, places[side]),
            partial(_side_words, aligned, side, places[side]),
        )
        for side, shown in enumerate(sides)
    ]

    def label(slot: int) -> str:
        return str(slot + 1)

    def describe(slot: int) -> str:
        where = _("Slot {number} of {count}", number=slot + 1, count=count)
        return join_sentences(where, *(group.caption(slot) for group in groups))

    return Track(
        tuple(groups), count, label, _gaps(groups), describe, _ruler_marks(aligned), aligned.first_divergence
    )


def _places(aligned: AlignedTrajectories, sides: Sequence[TrackSide]) -> list[list[int | None]]:
    """The step of each side in each slot; those still written have a live slot at the end."""
    live = any(shown.live for shown in sides)
    return [
        [
            *(slot[side] for slot in aligned.slots),
            *([len(aligned.reviewed[side].steps) if shown.live else None] if live else ()),
        ]
        for side, shown in enumerate(sides)
    ]


@dataclass(frozen=True, slots=True)
class _Reached:
    """The slots where the reference reaches what others may miss."""

    states: Mapping[str, int] = field(default_factory=dict)
    """By the id of an essential state."""
    parts: Mapping[int, int] = field(default_factory=dict)
    """By the number of a part of the target."""

    @classmethod
    def of(cls, reference: TrackSide, places: Sequence[int | None]) -> _Reached:
        slots = [slot for slot, step in enumerate(places) if step is not None]
        states = {
            moment.state: slots[moment.step]
            for moment in reference.states
            if moment.step is not None and moment.step < len(slots)
        }
        return cls(states, reached_parts(reference.target, slots))


class _SideLanes:
    """Builds the lanes of one trajectory."""

    def __init__(
        self, aligned: AlignedTrajectories, side: int, shown: TrackSide, places: Sequence[int | None]
    ) -> None:
        self._reviewed, self._shown, self._places = aligned.reviewed[side], shown, places
        self._slots = [slot for slot, step in enumerate(places) if step is not None]
        self._differing = frozenset(
            slot
            for difference in aligned.differences[side]
            for slot in range(difference.first, difference.last + 1)
            if places[slot] is not None
        )

    def lanes(self, most_ms: int, reached: _Reached) -> tuple[Lane, ...]:
        """In the order of the gutter."""
        steps, shown = self._reviewed.steps, self._shown
        actions = AlignedMarks(StepActions(steps), self._slots, self._differing)
        by_step: list[TextLane] = [
            thought_lane(steps),
            *anomaly_lanes(self._reviewed.interruptions, len(self._slots), in_segments=True),
        ]
        after: list[TextLane] = [
            rule_hit_lane(shown.moments.rule_hits),
            safety_lane(shown.judgements, len(steps)),
            risk_lane(shown.risks, len(steps)),
            app_change_lane(shown.changes),
            *verdict_lanes(shown.judgements, len(steps), shown.sentences),
            device_event_lane(shown.moments.device_events),
            LatencyLane(steps, most_ms),
        ]
        return (
            self._film(),
            actions,
            *(AlignedMarks(lane, self._slots) for lane in by_step),
            _state_lane(shown.states, self._slots, len(self._places), reached.states),
            *target_lanes(shown.target, self._slots, len(self._places), reached.parts),
            *(AlignedMarks(lane, self._slots) for lane in after),
        )

    def _film(self) -> AlignedFilm:
        steps, shown = self._reviewed.steps, self._shown
        tones = dict.fromkeys(self._differing, "warn")
        failed = [place for place, step in enumerate(steps) if invalid_of(step) is not None]
        tones |= dict.fromkeys((self._slots[place] for place in failed), "err")
        return AlignedFilm(StepFilm(shown.key, steps, shown.live), self._places, tones)


def _state_lane(
    states: Sequence[StateMoment], slots: Sequence[int], count: int, reached: Mapping[str, int]
) -> MarkLane:
    """The essential states, one mark a slot: reached at their steps, missed where the reference has them.

    One that the reference does not reach either is missed at the end.
    """
    end = slots[-1] if slots else max(0, count - 1)
    at: dict[int, list[StateMoment]] = {}
    for moment in states:
        if moment.step is not None and moment.step < len(slots):
            slot = slots[moment.step]
        else:
            slot = reached.get(moment.state, end)
        at.setdefault(slot, []).append(moment)
    marks = []
    for slot, moments in sorted(at.items()):
        first, *others = [MarkPart(_state_icon(moment), moment.label) for moment in moments]
        tip = "\n".join(moment.tip or moment.label for moment in moments)
        marks.append(LaneMark(slot, first.text, first.icon, parts=tuple(others), tip=tip))
    return MarkLane(_("States"), "flag", marks)


def _state_icon(moment: StateMoment) -> str:
    return "state-ok" if moment.step is not None else "state-err"


def _times(aligned: AlignedTrajectories, side: int, places: Sequence[int | None]) -> tuple[int, ...]:
    """The time of each slot and of the end; a gap has that of the next step, as nothing happened in it."""
    steps = aligned.reviewed[side].steps
    if not any(step.t_ms for step in steps) and len(steps) > 1:
        return ()  # imported without times
    end = steps[-1].t_ms + _LAST_STEP_MS if steps else 0
    times, following = [end], end
    for step in reversed(places):
        if step is not None and step < len(steps):
            following = min(following, steps[step].t_ms)
        times.append(following)
    return tuple(reversed(times))


def _gaps(groups: Sequence[LaneGroup]) -> Callable[[int], int]:
    """The pace of playback: of each slot the longest step."""
    if not groups or not all(group.times for group in groups):
        return lambda _slot: _LAST_STEP_MS
    last = len(groups[0].times) - 1

    def gap(slot: int) -> int:
        return longest_step(groups, slot) if 0 <= slot < last else 0

    return gap


def _side_words(aligned: AlignedTrajectories, side: int, places: Sequence[int | None], slot: int) -> str:
    """What a trajectory does in a slot, in words."""
    steps, step = aligned.reviewed[side].steps, places[slot]
    if step is None:
        return _("{letter}: no step", letter=LETTERS[side])
    if step >= len(steps):
        return _("{letter}: live", letter=LETTERS[side])
    what = step_caption(steps[step])
    return _("{letter}: step {number}, {what}", letter=LETTERS[side], number=step + 1, what=what)


def _ruler_marks(aligned: AlignedTrajectories) -> tuple[RulerMark, ...]:
    """The differences of all sides, in the order of their slots; those of the same slots are one mark."""
    at: dict[tuple[int, int], list[str]] = {}
    for side, differences in enumerate(aligned.differences):
        for each in differences:
            at.setdefault((each.first, each.last), []).append(f"{LETTERS[side]}: {each.reason}")
    return tuple(RulerMark(first, last, "\n".join(reasons)) for (first, last), reasons in sorted(at.items()))
