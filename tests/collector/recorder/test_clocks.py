"""F15: the wall clock jumps while a person records; what was done when is told by the other clock."""

from __future__ import annotations

import datetime as dt

import pytest

from tests.helpers.recorder_rig import BUY, RecorderRig

DAY = dt.timedelta(days=1)


@pytest.mark.fault("F15")
def test_a_wall_clock_that_jumps_moves_no_step(rig: RecorderRig) -> None:
    noon = dt.datetime(2026, 10, 25, 12, tzinfo=dt.UTC)
    output = iter([noon, noon + DAY, noon - DAY, noon - DAY, noon + 2 * DAY])
    last = [noon]

    def wall() -> dt.datetime:
        last[0] = next(output, last[0])
        return last[0]

    rig.recorder.close()
    rig.recorder = rig.record(wall=wall)
    rig.screen(100, BUY)
    for _tap in range(3):
        rig.tap()
        rig.pass_ms(500)
    steps = rig.steps()
    assert len(steps) == 3
    times = [step.t_ms for step in steps]
    assert times == sorted(times)
    assert times[-1] - times[0] < 5000
    assert [step.index for step in steps] == [0, 1, 2]
    assert len({step.wall_time[:10] for step in steps}) > 1  # it is kept as it was said
