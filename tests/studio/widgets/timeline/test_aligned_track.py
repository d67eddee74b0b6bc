"""The track of trajectories side by side: every step lies at its slot, whatever lane shows it."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from collector.judge.target_events import TargetChange, TargetEvent
from collector.model.verdicts.judgement import FAILURE, RULE, TASK, Judgement, Subject
from collector.store.trajectory.recorded_moments import moments_of
from studio.widgets.timeline.aligned_lanes import AlignedMarks
from studio.widgets.timeline.aligned_track import StateMoment, TrackSide, aligned_track
from studio.widgets.timeline.axis import common_times
from studio.widgets.timeline.lanes import LaneMark, MarkLane, SlotKind, StepActions
from tests.helpers.aligned_steps import SLOTS, aligned_of, three_aligned
from tests.helpers.sample_steps import many_steps, sample_steps

STATES = (
    (StateMoment("in", "Signed in", 4), StateMoment("found", "Searched", 7)),
    (StateMoment("in", "Signed in", 3),),
    (
        StateMoment("in", "Signed in", 5),
        StateMoment("found", "Searched", None),
        StateMoment("x", "Paid", None),
    ),
)


def sides(**more):
    return [
        TrackSide("a", "Golden", "lin", states=STATES[0]),
        TrackSide("b", "Baseline", "replay", "success", states=STATES[1]),
        TrackSide("c", "Interrupted", "replay", "failure", states=STATES[2], **more),
    ]


def lane(group, title):
    return next(lane for lane in group.lanes if lane.title == title)


def test_a_step_lies_at_its_slot_and_a_gap_where_there_is_none():
    track = aligned_track(three_aligned(), sides())
    assert track.count == len(SLOTS)
    for side, group in enumerate(track.groups):
        labels = [group.lanes[0].slot(slot).label for slot in range(track.count)]
        assert labels == ["" if slot[side] is None else str(slot[side] + 1) for slot in SLOTS]
        assert [group.lanes[0].slot(slot).kind is SlotKind.GAP for slot in range(track.count)] == [
            slot[side] is None for slot in SLOTS
        ]
    assert track.groups[2].lanes[0].slot(3).thumb == ("c", "states/0003.png")


def test_trajectories_are_named_by_letter_person_and_verdict():
    groups = aligned_track(three_aligned(), sides()).groups
    assert [(group.letter, group.name, group.about, group.verdict) for group in groups] == [
        ("A", "Golden", "lin", ""),
        ("B", "Baseline", "replay", "success"),
        ("C", "Interrupted", "replay", "failure"),
    ]
    assert [group.verdict_icon for group in groups] == ["", "state-ok", "state-err"]


def test_what_differs_is_amber_and_ticked():
    track = aligned_track(three_aligned(), sides())
    marks = lane(track.groups[2], "Actions").marks(0, track.count)
    assert [mark.slot for mark in marks if mark.ink == "warn"] == [3, 4]
    assert [track.groups[2].lanes[0].tone(slot) for slot in (2, 3, 9)] == ["line-2", "warn", ""]
    assert [(mark.first, mark.last) for mark in track.differences] == [(3, 4), (6, 6), (9, 9)]
    assert track.differences[0].tip == "C: 2 steps under the anomaly battery_low"
    assert track.divergence == 3


def test_a_bar_reaches_over_the_gaps_between_its_steps():
    slots = ((0,), (None,), (1,), (2,))
    track = aligned_track(aligned_of(slots, [sample_steps()[:3]]), [TrackSide("a", "Golden")])
    (film, *_lanes) = track.groups[0].lanes
    assert film.slot(1).kind is SlotKind.GAP
    marks = AlignedMarks(MarkLane("Thoughts", "thought", [LaneMark(0, "Look", bar=2)]), (0, 2, 3))
    assert [(mark.slot, mark.bar) for mark in marks.marks(0, 3)] == [(0, 3)]
    assert [(mark.slot, mark.bar) for mark in marks.marks(1, 1)] == [(0, 3)]
    assert list(marks.ticks(1, 1)) == [(0, 3, "line-2")]


def test_an_anomaly_is_one_bar_in_parts():
    (mark,) = lane(aligned_track(three_aligned(), sides()).groups[2], "Anomalies").marks(0, 9)
    assert (mark.slot, mark.bar) == (3, 2)
    assert [part.text for part in mark.segments] == ["inject", "answer"]


def test_a_missed_state_stands_where_the_reference_reaches_it():
    groups = aligned_track(three_aligned(), sides()).groups
    shown = [[(mark.slot, mark.icon, mark.text) for mark in lane(group, "States").given] for group in groups]
    assert shown[0] == [(6, "state-ok", "Signed in"), (9, "state-ok", "Searched")]
    assert shown[2] == [
        (5, "state-ok", "Signed in"), (8, "state-err", "Paid"), (9, "state-err", "Searched"),
    ]  # fmt: skip


def test_parts_of_a_target_and_side_effects_stand_where_they_begin():
    held, effect = TargetChange.HELD, TargetChange.SIDE_EFFECT
    courses = (
        (TargetEvent(held, 4, "a is done", 0), TargetEvent(held, 7, "b is done", 1)),
        (),
        (
            TargetEvent(effect, 3, "c was removed", until=4),
            TargetEvent(TargetChange.UNDONE, 4, "c was removed"),
            TargetEvent(held, 5, "a is done", 0), TargetEvent(effect, 5, "d was added"),
            TargetEvent(effect, 5, "e was added"), TargetEvent(TargetChange.MISSED, None, "b is done", 1),
        ),
    )  # fmt: skip
    shown = [replace(side, target=course) for side, course in zip(sides(), courses, strict=True)]
    groups = aligned_track(three_aligned(), shown).groups
    of_golden, of_baseline, of_run = (lane(group, "Target") for group in groups)
    assert [(mark.slot, mark.icon, mark.text) for mark in of_golden.given] == [
        (6, "state-ok", "a is done"), (9, "state-ok", "b is done"),
    ]  # fmt: skip
    assert of_golden.given[0].tip == "Part of the target, held from step 5 on: a is done"
    assert of_baseline.is_empty()
    assert [(mark.slot, mark.icon, mark.text) for mark in of_run.given] == [
        (5, "state-ok", "a is done"), (9, "state-err", "b is done"),
    ]  # fmt: skip
    assert of_run.given[1].tip == "Part of the target, never reached: b is done"
    of_golden, of_baseline, of_run = (lane(group, "Side effects") for group in groups)
    assert of_golden.is_empty()
    assert of_baseline.is_empty()
    assert [(mark.slot, mark.icon, mark.text) for mark in of_run.given] == [
        (3, "state-warn", "c was removed"), (4, "undo", "c was removed"), (5, "state-warn", "d was added"),
    ]  # fmt: skip
    assert [(part.icon, part.text) for part in of_run.given[2].parts] == [("state-warn", "e was added")]
    assert of_run.given[0].tip == "Side effect at step 4 alone: c was removed"
    assert of_run.given[2].tip.splitlines() == [
        "Side effect from step 6 on: d was added", "Side effect from step 6 on: e was added",
    ]  # fmt: skip


def test_rules_judges_and_latency_have_lanes():
    events = (
        {"kind": "cycle", "phase": "decide", "step": 3, "rules": [{"rule": "low", "outcome": "fired"}]},
        {"kind": "pause", "t_ms": 9700},
    )
    judged = Judgement("rules", RULE, "1", Subject(TASK), FAILURE)
    moments = moments_of(events, three_aligned().reviewed[2].steps)
    group = aligned_track(three_aligned(), sides(moments=moments, judgements=(judged,))).groups[2]
    at = {
        title: [(mark.slot, mark.text) for mark in lane(group, title).marks(0, 9)]
        for title in ("Rule hits", "rules", "Device events")
    }
    assert at == {"Rule hits": [(3, "low")], "rules": [(8, "failure")], "Device events": [(3, "paused")]}
    latency = list(lane(group, "Latency").marks(0, 9))
    assert latency[-1].level == 1.0
    assert [mark.slot for mark in latency] == list(range(9))


def test_by_the_clock_a_gap_takes_no_time_and_all_wait_for_the_slowest():
    track = aligned_track(three_aligned(), sides())
    times = track.groups[0].times
    assert times[3] == times[4] == times[5] == sample_steps()[3].t_ms
    assert list(times) == sorted(times)
    common = common_times(track.groups)
    for slot in range(track.count):
        longest = max(group.times[slot + 1] - group.times[slot] for group in track.groups)
        assert common[slot + 1] - common[slot] == track.gap_ms(slot) == longest


def test_steps_without_times_have_no_clock():
    timeless = [replace(step, t_ms=0) for step in sample_steps()[:3]]
    track = aligned_track(aligned_of(((0,), (1,), (2,)), [timeless]), [TrackSide("a", "Imported")])
    assert not track.has_times
    assert aligned_track(three_aligned(), sides()).has_times


def test_a_slot_in_words_names_the_step_of_each_trajectory():
    described = aligned_track(three_aligned(), sides()).describe(3)
    assert described == "Slot 4 of 10. A: no step. B: no step. C: step 4, Tap 'Continue'"


def test_what_is_still_written_has_a_live_slot():
    shown = [*sides()[:2], replace(sides()[2], live=True)]
    track = aligned_track(three_aligned(), shown)
    assert track.count == 11
    assert [group.lanes[0].slot(10).kind for group in track.groups] == [
        SlotKind.GAP, SlotKind.GAP, SlotKind.LIVE,
    ]  # fmt: skip
    assert track.describe(10).endswith("C: live")


def test_nothing_to_show_is_an_empty_track():
    track = aligned_track(aligned_of((), [[]]), [TrackSide("a", "Golden")])
    assert track.count == 0
    assert track.divergence is None


@given(st.lists(st.booleans(), min_size=1, max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_marks_of_any_alignment_are_those_of_the_steps_in_sight(present, start, end):
    """Every mark in a range of slots is there, at the slot of its step."""
    first, last = sorted((start, end))
    slots = [slot for slot, is_step in enumerate(present) if is_step]
    steps = many_steps(len(slots))
    actions = AlignedMarks(StepActions(steps), slots)
    assert [mark.slot for mark in actions.marks(first, last)] == [
        slot for slot in slots if first <= slot <= last
    ]
    fixed = AlignedMarks(MarkLane("x", "x", [LaneMark(step, str(step)) for step in range(len(slots))]), slots)
    shown = {mark.slot: mark.text for mark in fixed.marks(first, last)}
    for step, slot in enumerate(slots):
        if first <= slot <= last:
            assert shown[slot] == str(step)
