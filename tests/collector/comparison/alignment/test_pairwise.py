"""TrajectoryAlignment of two sequences: counterparts, gaps, and what every alignment must hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from collector.comparison.alignment.pairwise import Pair, align_rows

A = "1234"


def aligned(first: str, second: str) -> list[Pair]:
    equal = [[float(mine == other) for other in second] for mine in first]
    return align_rows(np.array(equal, np.float32).reshape(len(first), len(second)), len(first), len(second))


@pytest.mark.parametrize(
    ("first", "second", "pairs"),
    [
        ("", "", []),
        ("", "12", [(None, 0), (None, 1)]),
        ("12", "", [(0, None), (1, None)]),
        (A, A, [(0, 0), (1, 1), (2, 2), (3, 3)]),
        (A, "129934", [(0, 0), (1, 1), (None, 2), (None, 3), (2, 4), (3, 5)]),
        # A loop is a detour behind the first time, whichever side has it.
        (A, "123234", [(0, 0), (1, 1), (2, 2), (None, 3), (None, 4), (3, 5)]),
        ("123234", A, [(0, 0), (1, 1), (2, 2), (3, None), (4, None), (5, 3)]),
        (A, "1222234", [(0, 0), (1, 1), (None, 2), (None, 3), (None, 4), (2, 5), (3, 6)]),
        # What a run did comes before what it left out.
        (A, "189", [(0, 0), (None, 1), (None, 2), (1, None), (2, None), (3, None)]),
        ("12", "89", [(None, 0), (None, 1), (0, None), (1, None)]),
    ],
)
def test_known_alignments(first: str, second: str, pairs: list[Pair]) -> None:
    assert aligned(first, second) == pairs


MATRICES = st.tuples(st.integers(0, 8), st.integers(0, 8)).flatmap(
    lambda shape: arrays.arrays(np.float32, shape, elements=st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
)


@given(MATRICES)
def test_every_step_is_in_one_place_and_in_order_and_counterparts_are_alike(similarity: np.ndarray) -> None:
    pairs = align_rows(similarity, *similarity.shape)
    assert [row for row, _column in pairs if row is not None] == list(range(similarity.shape[0]))
    assert [column for _row, column in pairs if column is not None] == list(range(similarity.shape[1]))
    assert all(
        similarity[row, column] > 0.5 for row, column in pairs if row is not None and column is not None
    )


@given(
    st.integers(1, 8).flatmap(
        lambda n: arrays.arrays(np.float32, (n, n), elements=st.sampled_from([0.0, 0.6, 1.0]))
    )
)
def test_a_trajectory_is_aligned_with_itself_perfectly(similarity: np.ndarray) -> None:
    np.fill_diagonal(similarity, 1.0)
    assert align_rows(similarity, *similarity.shape) == [(step, step) for step in range(len(similarity))]
