"""Windows cover every state, and overlap as A3's do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.judge.windows import Window, sliding_windows


def test_a3_windows() -> None:
    assert sliding_windows(7, 4, 2) == [Window(0, 3), Window(2, 5), Window(3, 6)]
    assert sliding_windows(4, 2, 1) == [Window(0, 1), Window(1, 2), Window(2, 3)]
    assert sliding_windows(2, 4, 2) == [Window(0, 1)]
    assert sliding_windows(0, 4, 2) == []


@given(st.integers(1, 60), st.integers(1, 10), st.integers(1, 10))
def test_no_state_is_left_out(states: int, size: int, stride: int) -> None:
    windows = sliding_windows(states, size, stride)
    assert {index for window in windows for index in range(window.first, window.last + 1)} == set(
        range(states)
    )
    assert all(window.last - window.first < size for window in windows)
    assert windows == sorted(set(windows), key=lambda window: window.first)


@pytest.mark.parametrize(("size", "stride"), [(0, 1), (4, 0)])
def test_a_window_of_nothing_is_refused(size: int, stride: int) -> None:
    with pytest.raises(ValueError, match="no windows"):
        sliding_windows(5, size, stride)
