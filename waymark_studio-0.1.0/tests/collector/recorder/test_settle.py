"""A screen rests when its pictures do; carets and clocks do not keep it awake."""

from __future__ import annotations

import numpy as np

from collector.recorder.settle import FrameHistory, SettleDetector, share_changed

MS = 1_000_000


def picture(shade: int = 0) -> np.ndarray:
    return np.full((200, 90), shade, np.uint8)


def test_quiet_for_long_enough_is_settled_and_told_once() -> None:
    detector = SettleDetector(quiet_ms=500)
    detector.feed(picture(), 0)
    detector.begin(0)
    detector.feed(picture(50), 300 * MS)
    assert detector.result(700 * MS) is None
    settled = detector.result(800 * MS)
    assert settled is not None
    assert (settled.settle_ms, settled.in_time) == (300, True)
    assert detector.result(900 * MS) is None


def test_a_screen_that_never_rests_is_given_up_at_the_cap() -> None:
    detector = SettleDetector(quiet_ms=500, cap_ms=6000)
    detector.begin(0)
    for tenth in range(60):
        detector.feed(picture(tenth % 2 * 99), tenth * 100 * MS)
        assert detector.result(tenth * 100 * MS) is None
    settled = detector.result(6000 * MS)
    assert settled is not None
    assert not settled.in_time


def test_a_blinking_caret_and_the_clock_are_no_change() -> None:
    caret, clock = picture(), picture()
    caret[100:104, 40:42] = 255
    clock[:6, :] = 255
    assert share_changed(picture(), caret) == 0
    assert share_changed(picture(), clock) == 0


def test_a_slow_fade_adds_up_to_a_change() -> None:
    detector = SettleDetector()
    detector.feed(picture(100), 0)
    changes = [detector.feed(picture(100 + step), step * MS) for step in range(1, 40)]
    assert any(changes)


def test_the_share_that_changed_is_measured_and_another_size_is_all_of_it() -> None:
    half = picture()
    half[100:] = 200
    assert share_changed(picture(), half) == 0.5
    assert share_changed(np.zeros((90, 200), np.uint8), picture()) == 1.0


def test_history_knows_what_was_shown_at_a_time() -> None:
    history = FrameHistory(keep=2)
    for shade in (1, 2, 3):
        history.add(shade * 100, picture(shade))
    assert history.at(150) is None
    assert history.at(250)[0, 0] == 2
    assert history.at(999)[0, 0] == 3
