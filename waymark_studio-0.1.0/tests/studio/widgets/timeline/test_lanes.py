"""Lanes return only the marks of the visible slots."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from collector.model.geometry import Size
from studio.widgets.timeline.grid import SlotGrid
from studio.widgets.timeline.lanes import LaneMark, MarkLane, SlotKind, StepFilm, step_track
from tests.helpers.sample_steps import many_steps, sample_steps


def test_a_recording_has_a_live_slot_after_its_steps():
    film = StepFilm("a", sample_steps(), live=True)
    assert film.slot(9).kind is SlotKind.STEP
    assert film.slot(9).label == "10"
    assert film.slot(10).kind is SlotKind.LIVE
    assert StepFilm("a", sample_steps()).slot(10).kind is SlotKind.GAP


def test_the_worst_badge_stands_on_the_picture():
    film = StepFilm("a", sample_steps())
    badges = [film.slot(number).badge for number in range(10)]
    assert badges == ["", "", "redact", "", "state-info", "", "", "state-warn", "", "state-warn"]


def test_a_slot_knows_the_shape_of_its_screen():
    steps = sample_steps()
    steps[1] = replace(steps[1], state=replace(steps[1].state, size=Size(1600, 720)))
    steps[2] = replace(steps[2], state=replace(steps[2].state, size=Size(0, 0)))
    film = StepFilm("a", steps)
    assert film.slot(0).aspect < 1 < film.slot(1).aspect
    assert film.slot(2).aspect == 0


def test_a_track_labels_its_slots_with_the_time_and_keeps_the_pace():
    track = step_track("a", sample_steps(), live=True)
    assert track.count == 11
    assert [track.label(slot) for slot in (0, 9, 10)] == ["00:00.0", "00:27.7", ""]
    assert track.gap_ms(0) == 2400


@given(st.lists(st.integers(0, 60), unique=True), st.integers(0, 60), st.integers(0, 60))
def test_marks_in_sight_are_all_there_and_one_more_that_may_reach_in(slots, start, end):
    first, last = sorted((start, end))
    lane = MarkLane("States", "flag", [LaneMark(slot, str(slot)) for slot in sorted(slots)])
    slots_in_range = [mark.slot for mark in lane.marks(first, last)]
    seen = [slot for slot in sorted(slots) if first <= slot <= last]
    before = [slot for slot in sorted(slots) if slot < first][-1:]
    assert slots_in_range == before + seen


@given(st.integers(-5000, 200), st.integers(20, 152), st.integers(1, 10_000), st.floats(0, 1500))
def test_a_place_on_the_grid_is_in_the_slot_it_is_drawn_in(left, width, count, x):
    grid = SlotGrid(left, width, count)
    slot = grid.slot_at(x)
    assert 0 <= slot < count
    if grid.left <= x < grid.x(count):
        assert grid.x(slot) <= x < grid.x(slot + 1)


def test_actions_are_asked_for_in_sight_only():
    track = step_track("long", many_steps(10_000))
    assert [mark.slot for mark in track.lanes[1].marks(5000, 5003)] == [5000, 5001, 5002, 5003]
