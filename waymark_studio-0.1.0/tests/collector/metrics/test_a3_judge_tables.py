"""A3's Tables 2 and 7: the quality of judges against people, rebuilt from lists of their verdicts.

Precision, recall, F1 and accuracy of one judge are four views of the same counts, and all judges of a table
judge the same tasks and states. Each cell that this leaves without a count is named here.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest

from collector.judge.votes.agreement import Quality, quality
from tests.helpers.published import counts_that_give, percentage

MEASURES = ("precision", "recall", "f1", "accuracy")
Row = tuple[str, str, str, str]
TASKS_2 = {"Gemini-2.5-pro": ("85.7", "96.0", "90.6", "95.0"), "A3RM": ("96.0", "96.0", "96.0", "98.0")}
STATES_2 = {"Gemini-2.5-pro": ("87.3", "96.3", "91.5", "89.5"), "A3RM": ("95.7", "94.8", "95.3", "96.6")}
TASKS_7 = {
    "Gemini-2.5-pro": ("93.4", "88.2", "90.7", "88.0"),
    "A3RM": ("94.1", "94.1", "94.1", "92.0"),
    "A3RM-Continued": ("100.0", "94.1", "97.0", "96.0"),
}
STATES_7 = {
    "Gemini-2.5-pro": ("87.5", "93.3", "90.3", "87.1"),
    "A3RM": ("93.1", "91.1", "92.1", "90.0"),
    "A3RM-Continued": ("97.7", "95.6", "96.6", "95.7"),
}
# True positives, false positives, false negatives and true negatives: of 100 and of 25 tasks, and of the 70
# states of these 25, the only number up to 100 with which so many cells have a count.
COUNTS: dict[str, tuple[dict[str, Row], dict[str, tuple[int, int, int, int]]]] = {
    "table 2, tasks": (TASKS_2, {"Gemini-2.5-pro": (24, 4, 1, 71), "A3RM": (24, 1, 1, 74)}),
    "table 7, tasks": (
        TASKS_7, {"Gemini-2.5-pro": (15, 1, 2, 7), "A3RM": (16, 1, 1, 7), "A3RM-Continued": (16, 0, 1, 8)},
    ),
    "table 7, states": (
        STATES_7,
        {"Gemini-2.5-pro": (42, 6, 3, 19), "A3RM": (41, 3, 4, 22), "A3RM-Continued": (43, 1, 2, 24)},
    ),
}  # fmt: skip
NO_COUNT = {
    # 14 of 15 would be 93.3, 15 of 16 is 93.8; with 15 right answers F1 is 90.9.
    ("table 7, tasks", "Gemini-2.5-pro", "precision"): "93.8",
    ("table 7, tasks", "Gemini-2.5-pro", "f1"): "90.9",
    # 41 of 44 is 93.18, whose digits are cut off.
    ("table 7, states", "A3RM", "precision"): "93.2",
}
"""What the counts give instead. The states of Table 2 have no counts at all: see the last two tests."""


def verdicts(counts: tuple[int, int, int, int]) -> list[tuple[bool, bool]]:
    """What the judge and people say of each subject."""
    kinds = ((True, True), (True, False), (False, True), (False, False))
    return [kind for kind, count in zip(kinds, counts, strict=True) for _subject in range(count)]


def cells_of(found: Quality) -> Row:
    shares = (found.precision, found.recall, found.f1, found.accuracy)
    precision, recall, f1, accuracy = ("" if share is None else f"{100 * share:.1f}" for share in shares)
    return precision, recall, f1, accuracy


@pytest.mark.parametrize("table", COUNTS)
def test_the_table_is_rebuilt_but_for_the_cells_that_are_named(table: str) -> None:
    rows, counts = COUNTS[table]
    for judge, cells in rows.items():
        expected = [
            NO_COUNT.get((table, judge, measure), cell) for measure, cell in zip(MEASURES, cells, strict=True)
        ]
        assert cells_of(quality(verdicts(counts[judge]))) == tuple(expected)


@functools.cache
def giving(cell: str, count: int) -> list[int]:
    return counts_that_give(cell, count)


def with_recall_and_accuracy(row: Row, subjects: int, positives: int) -> Iterator[Quality]:
    """All counts that give the recall and the accuracy of a row."""
    for right in giving(row[3], subjects):
        for true_positives in giving(row[1], positives):
            missed = positives - true_positives
            wrong = subjects - right - missed
            if 0 <= wrong <= subjects - positives:
                yield Quality(true_positives, wrong, missed, subjects - positives - wrong)


def most_cells(row: Row, subjects: int, positives: int) -> int:
    matches = (
        sum(a == b for a, b in zip(cells_of(found), row, strict=True))
        for found in with_recall_and_accuracy(row, subjects, positives)
    )
    return max(matches, default=0)


def test_25_tasks_give_no_more_of_the_cells_of_table_7() -> None:
    possible = {
        judge: max(most_cells(row, 25, positives) for positives in range(1, 25))
        for judge, row in TASKS_7.items()
    }
    assert possible == {"Gemini-2.5-pro": 2, "A3RM": 4, "A3RM-Continued": 4}


def test_the_states_of_table_7_are_70_with_45_reached() -> None:
    totals = {
        (subjects, positives): sum(most_cells(row, subjects, positives) for row in STATES_7.values())
        for subjects in range(2, 101)
        for positives in range(1, subjects)
    }
    best = max(totals.values())
    assert (best, [split for split, total in totals.items() if total == best]) == (11, [(70, 45)])


def test_309_states_give_neither_accuracy_of_table_2_nor_the_f1_of_gemini() -> None:
    """276 of 309 is 89.3, 277 is 89.6; 298 is 96.4, 299 is 96.8."""
    with_f1 = {}
    for judge, (precision, recall, f1, accuracy) in STATES_2.items():
        assert not counts_that_give(accuracy, 309)
        with_f1[judge] = [
            (hits, claimed - hits, positives - hits)
            for positives in range(1, 310)
            for hits in giving(recall, positives)
            for claimed in range(hits, 310 - positives + hits)
            if percentage(hits, claimed, 1) == precision
            and percentage(2 * hits, claimed + positives, 1) == f1
        ]
    assert with_f1 == {"Gemini-2.5-pro": [], "A3RM": [(201, 9, 11), (202, 9, 11), (221, 10, 12)]}


def test_both_judges_of_table_2_did_not_judge_the_same_states() -> None:
    """Of how many states people say that they are reached follows from a row: 59 % and 36 %.

    The wrong verdicts are those missed, 1 - recall of the reached, and those claimed wrongly, recall *
    (1 - precision) / precision of the reached; together they are 1 - accuracy of all.
    """
    ranges = []
    for row in STATES_2.values():
        precision, recall, _f1, accuracy = (Fraction(cell) / 100 for cell in row)
        half = Fraction(1, 2000)
        ends = [
            (1 - accuracy - a * half)
            / (1 - recall - b * half + (recall + b * half) * (1 / (precision + c * half) - 1))
            for a, b, c in product((-1, 1), repeat=3)
        ]
        ranges.append((float(min(ends)), float(max(ends))))
    (gemini_low, gemini_high), (a3rm_low, a3rm_high) = ranges
    assert 0.58 < gemini_low < gemini_high < 0.61
    assert 0.35 < a3rm_low < a3rm_high < 0.38
