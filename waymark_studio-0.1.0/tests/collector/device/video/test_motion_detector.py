"""Who waits for the picture to rest is not woken by each change; who waits for a change is."""

from __future__ import annotations

import threading
import time

import numpy as np

from collector.device.frame import Frame
from collector.device.video.motion_detector import MotionDetector


def _frame(shade: int) -> Frame:
    return Frame(np.full((64, 32, 3), shade, np.uint8), sequence=shade, received_ns=shade)


def test_only_frames_that_differ_are_changes():
    motion = MotionDetector()
    assert [motion.note(_frame(shade)) for shade in (10, 10, 200, 200, 10)] == [
        True,
        False,
        True,
        False,
        True,
    ]
    assert (motion.changes, motion.changed_ns) == (3, 10)


def test_a_wait_for_a_change_sees_the_change_before_it():
    motion = MotionDetector()
    seen = motion.changes
    motion.note(_frame(10))
    assert not motion.wait(seen, None)


def test_a_wait_for_a_change_ends_with_it():
    motion = MotionDetector()
    ended = threading.Event()

    def wait() -> None:
        motion.wait(0, None)
        ended.set()

    waiter = threading.Thread(target=wait)
    waiter.start()
    motion.note(_frame(10))
    assert ended.wait(10)
    waiter.join(10)


def test_a_wait_with_a_timeout_sleeps_through_changes_until_it_is_woken():
    motion = MotionDetector()
    motion.note(_frame(10))
    started = time.monotonic()
    assert not motion.wait(0, 0.05)
    assert time.monotonic() - started >= 0.05
    motion.wake()
    assert motion.wait(0, 60)
