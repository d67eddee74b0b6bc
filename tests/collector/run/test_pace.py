"""The time left of a run follows from the episodes that it finished."""

from __future__ import annotations

import pytest

from collector.run.pace import RunPace


def test_the_time_left_is_near_after_the_first_episode_whatever_the_start_took() -> None:
    """20 episodes of 3 s with resets of 1 s on two phones that were ready after a minute: 40 s in all."""
    pace = RunPace()
    for worker, at in (("w1", 60.0), ("w2", 60.5)):
        pace.begin(worker, at)
    assert pace.seconds_left(20, 62.0) is None
    pace.end("w1", 63.0, 3.0, is_finished=True)
    assert pace.seconds_left(19, 63.0) == pytest.approx((19 * 3 - 2.5) / 2)
    assert pace.episodes_a_minute(63.0) == 20
    pace.end("w2", 63.5, 3.0, is_finished=True)
    for worker, at in (("w1", 64.0), ("w2", 64.5)):
        pace.begin(worker, at)
        pace.end(worker, at + 3, 3.0, is_finished=True)
    left = pace.seconds_left(16, 67.5)
    assert left is not None
    assert 32 / 1.5 < left < 32 * 1.5


def test_faults_take_time_and_finish_nothing_and_a_lost_worker_does_not_help() -> None:
    pace = RunPace()
    pace.begin("w1", 1.0)
    pace.begin("w2", 1.0)
    pace.end("w1", 11.0, 10.0, is_finished=False)
    assert pace.seconds_left(4, 11.0) is None
    pace.begin("w1", 11.0)
    pace.end("w1", 21.0, 10.0, is_finished=True)
    pace.leave("w2")
    assert pace.seconds_left(3, 21.0) == 60.0
    pace.end("w3", 400.0, 2.0, is_finished=True)
    assert pace.seconds_left(1, 400.0) == 2.0, "what was long ago is forgotten"
