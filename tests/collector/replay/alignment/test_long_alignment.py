"""Trajectories of thousands of steps are divided at sure counterparts, and aligned as undivided ones are."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from collector.replay.alignment import long_alignment
from collector.replay.alignment.long_alignment import LongAlignment
from collector.replay.alignment.pairwise import Pair, align_rows


def changed(walk: Sequence[int], dice: random.Random) -> list[int]:
    """The walk with a hundredth of its steps left out, and as many others inserted."""
    steps: list[int] = []
    for screen in walk:
        chance = dice.random()
        steps += [screen] * (chance >= 0.01) + [dice.randrange(100, 110)] * (chance > 0.99)
    return steps


def aligned(first: Sequence[int], second: Sequence[int]) -> tuple[list[Pair], int]:
    """The alignment, and how many pairs of steps were compared for it."""
    own, other = np.array(first), np.array(second)
    compared = 0

    def similarity(rows: slice, columns: slice) -> np.ndarray:
        nonlocal compared
        block = (own[rows][:, None] == other[columns][None, :]).astype(np.float32)
        compared += block.size
        return block

    return LongAlignment(first, second, similarity).pairs(), compared


@pytest.mark.parametrize("seed", range(4))
def test_a_divided_alignment_is_the_undivided_one(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_alignment, "_MOST_PAIRS", 2_000)
    dice = random.Random(seed)
    walk = [dice.randrange(30) for _step in range(600)]
    other = changed(walk, dice)
    pairs, compared = aligned(walk, other)
    undivided = align_rows(np.equal.outer(walk, other).astype(np.float32), len(walk), len(other))
    assert sum(None not in pair for pair in pairs) == sum(None not in pair for pair in undivided)
    assert compared < len(walk) * len(other) / 4
    assert [row for row, _column in pairs if row is not None] == list(range(len(walk)))
    assert [column for _row, column in pairs if column is not None] == list(range(len(other)))


def test_where_nothing_is_unique_all_pairs_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_alignment, "_MOST_PAIRS", 100)
    monkeypatch.setattr(long_alignment, "_BLOCK", 16)
    loop = [0, 1, 2] * 20
    pairs, compared = aligned(loop, [*loop, *loop[:30]])
    assert pairs == [*((step, step) for step in range(60)), *((None, step) for step in range(60, 90))]
    assert compared == 60 * 90


def test_what_moved_to_another_place_does_not_lead_astray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_alignment, "_MOST_PAIRS", 100)
    first = list(range(100))
    pairs, _compared = aligned(first, [*first[80:], *first[:80]])
    assert [pair for pair in pairs if None not in pair] == [(step, step + 20) for step in range(80)]
