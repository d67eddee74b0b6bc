"""Trajectories of thousands of steps are divided, and aligned as undivided ones are."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from collector.comparison.alignment import long_alignment
from collector.comparison.alignment.common_subsequence import longest_common_subsequence
from collector.comparison.alignment.long_alignment import AlignedSteps, LongAlignment
from collector.comparison.alignment.pairwise import Pair, align_rows


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

    rows, columns = AlignedSteps(first, first), AlignedSteps(second, second)
    return LongAlignment(rows, columns, similarity).pairs(), compared


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


def test_what_is_nearly_periodic_is_paired_as_often_as_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_alignment, "_MOST_PAIRS", 40_000)
    walk = [place % 5 for place in range(1_000)]
    first, second = (altered(walk, random.Random(seed)) for seed in (1, 2))
    pairs, compared = aligned(first, second)
    assert sum(None not in pair for pair in pairs) == len(longest_common_subsequence(first, second))
    assert compared < len(first) * len(second) / 2


def altered(walk: Sequence[int], dice: random.Random) -> list[int]:
    """The walk with a tenth of its steps left out, inserted, or others, of which few occur once."""
    steps: list[int] = []
    for screen in walk:
        other = dice.randrange(8)
        steps += dice.choice([[], [screen, other], [other]]) if dice.random() < 0.1 else [screen]
    return steps


def test_a_long_loop_is_paired_from_its_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_alignment, "_MOST_PAIRS", 100)
    monkeypatch.setattr(long_alignment, "_BLOCK", 16)
    loop = [0, 1, 2] * 20
    pairs, _compared = aligned(loop, [*loop, *loop[:30]])
    assert pairs == [*((step, step) for step in range(60)), *((None, step) for step in range(60, 90))]


def test_screens_of_another_language_are_divided_by_their_outlines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_alignment, "_MOST_PAIRS", 100)
    outlines = [place % 7 for place in range(60)]
    rows = AlignedSteps([("en", place) for place in range(60)], outlines)
    columns = AlignedSteps([("zh", place) for place in range(60)], outlines)
    blocks: list[int] = []

    def similarity(own: slice, other: slice) -> np.ndarray:
        blocks.append((own.stop - own.start) * (other.stop - other.start))
        return np.equal.outer(outlines[own], outlines[other]).astype(np.float32)

    assert LongAlignment(rows, columns, similarity).pairs() == [(step, step) for step in range(60)]
    assert max(blocks) <= 100


@pytest.mark.parametrize("seed", range(4))
def test_the_longest_common_subsequence_is_the_textbook_one(seed: int) -> None:
    dice = random.Random(seed)
    first, second = ([dice.randrange(4) for _step in range(dice.randrange(40, 90))] for _side in range(2))
    found = longest_common_subsequence(first, second)
    assert [first[row] for row, _column in found] == [second[column] for _row, column in found]
    assert all(np.diff([row for row, _column in found]) > 0)
    assert all(np.diff([column for _row, column in found]) > 0)
    lengths = np.zeros((len(first) + 1, len(second) + 1), int)
    for row, own in enumerate(first, 1):
        for column, other in enumerate(second, 1):
            longer = lengths[row - 1, column - 1] + (own == other)
            lengths[row, column] = max(longer, lengths[row - 1, column], lengths[row, column - 1])
    assert len(found) == lengths[-1, -1]


def test_what_moved_to_another_place_does_not_lead_astray(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_alignment, "_MOST_PAIRS", 100)
    first = list(range(100))
    pairs, _compared = aligned(first, [*first[80:], *first[:80]])
    assert [pair for pair in pairs if None not in pair] == [(step, step + 20) for step in range(80)]
