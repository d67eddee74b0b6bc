"""The rows of a back-test are made on request, and are those of each trajectory's own part."""

from __future__ import annotations

import numpy as np
import pytest

from collector.rules.backtest.backtest_rows import BackTestRows
from collector.rules.backtest.misfires import Misfires
from collector.rules.columns.corpus import TrajectoryRef
from collector.rules.columns.verdict_columns import any_of, from_step, verdicts_by_count
from collector.rules.evaluation.proof import ProofOutcome

REFS = [TrajectoryRef(name, "task", "golden", "lin", name) for name in "abc"]
ROWS = BackTestRows(REFS, [0, 2, 5, 6], b"\x00\x01\x00\x02\x02\x02", {1: Misfires({1: "early"}, {})})


def test_rows_are_parts_of_one_text_of_outcomes() -> None:
    assert [(row.trajectory.id, row.first, row.outcomes) for row in ROWS] == [
        ("a", 0, b"\x00\x01"), ("b", 2, b"\x00\x02\x02"), ("c", 5, b"\x02"),
    ]  # fmt: skip
    assert (ROWS[-1], ROWS[1:], len(ROWS)) == (ROWS[2], [ROWS[1], ROWS[2]], 3)
    assert [(row.fires, row.near, row.first_fire) for row in ROWS] == [(0, 1, None), (2, 0, 1), (1, 0, 0)]
    assert ROWS[0].outcome(1) is ProofOutcome.NEAR
    with pytest.raises(IndexError):
        ROWS[3]


def test_a_row_is_found_by_a_position_of_the_corpus() -> None:
    found = [row.trajectory.id if (row := ROWS.at(at)) else None for at in range(-1, 7)]
    assert found == [None, "a", "a", "b", "b", "b", "c", None]


def test_rows_that_fire_and_rows_that_misfire_are_found_without_the_others() -> None:
    assert [row.trajectory.id for row in ROWS.firing()] == ["b", "c"]
    assert [(row.trajectory.id, row.wrong) for row in ROWS.misfiring()] == [("b", {1: "early"})]


def test_counts_kept_in_a_byte_are_the_same_counts() -> None:
    few = verdicts_by_count(np.array([0, 3, 7], np.int32), 5)
    many = verdicts_by_count(np.array([0, 3, 700], np.int32), 500)
    small = few.narrowed()
    assert (small.deficit.dtype, small.evidence.dtype) == (np.int8, np.int8)
    assert small.outcomes.tolist() == few.outcomes.tolist()
    assert many.narrowed().evidence.tolist() == [0, 3, 700]
    late = from_step(small, np.array([True, False, True]))
    assert late.deficit.tolist() == [6, 2, 1]
    # A count that needs more than a byte, put beside one that was kept in a byte.
    assert any_of(3, [many.narrowed(), small]).evidence.tolist() == [0, 3, 700]
    assert any_of(3, [small, many.narrowed()]).evidence.tolist() == [0, 3, 700]
