"""Where slots lie by the clock."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from studio.widgets.timeline.grid import ClockGrid, thinned
from studio.widgets.timeline.ruler_painter import clock_text, round_number
from studio.widgets.timeline.sizes import ALIGNED_SIZES

TIMES = st.lists(st.integers(0, 5000), min_size=2, max_size=60).map(
    lambda gaps: tuple(sum(gaps[: place + 1]) for place in range(len(gaps)))
)


@given(TIMES, st.integers(-4000, 400), st.floats(0.002, 0.5), st.floats(0, 1500))
def test_a_place_is_in_the_slot_whose_time_it_is(times, left, per_ms, x):
    grid = ClockGrid(left, per_ms, times, ALIGNED_SIZES)
    slot = grid.slot_at(x)
    assert 0 <= slot < grid.count
    moment = (x - left) / per_ms
    if times[0] <= moment < times[-1]:
        assert times[slot] <= moment < times[slot + 1]


@given(TIMES, st.floats(0.002, 0.5), st.integers(0, 1000), st.integers(1, 1500))
def test_what_is_in_sight_is_all_that_reaches_into_it(times, per_ms, first, wide):
    grid = ClockGrid(0, per_ms, times, ALIGNED_SIZES)
    seen = grid.in_sight(first, first + wide)
    for slot in range(grid.count):
        if grid.x(slot) + grid.thumb_width > first + 1 and grid.x(slot) < first + wide - 1:
            assert slot in seen


@given(TIMES, st.floats(0.002, 0.5))
def test_thumbnails_by_the_clock_never_overlap(times, per_ms):
    kept = sorted(thinned(times, per_ms, iter(range(len(times) - 1)), ALIGNED_SIZES))
    assert kept[0] == 0
    for before, after in itertools.pairwise(kept):
        assert (times[after] - times[before]) * per_ms >= ALIGNED_SIZES.thumb_width


@given(st.integers(1, 10_000))
def test_labels_stand_at_round_numbers(least):
    number = round_number(least)
    assert least <= number < 2.5 * least + 1
    assert str(number).rstrip("0") in ("1", "2", "5")


def test_the_clock_says_minutes_and_hours():
    assert [clock_text(seconds) for seconds in (0, 65, 3605)] == ["0:00", "1:05", "1:00:05"]
