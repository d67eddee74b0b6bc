"""Tries of the same task, and variations of the app, counted by hand."""

from __future__ import annotations

import math
import statistics

import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.measure import Counting
from collector.metrics.measures.registry import MEASURES, measure_of
from collector.metrics.pivot import pivot
from collector.metrics.report_cell import ReportCell
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes


def tries(task: str, outcomes: str, **facts: str | int) -> list[EpisodeFacts]:
    """One try a letter: s succeeds, f fails, x ends by a fault."""
    return [
        EpisodeFacts(
            task, agent="g", outcome={"s": "success", "f": "failure", "x": ""}[letter], seed=seed,
            is_finished=1, is_fault=int(letter == "x"), **facts,  # type: ignore[arg-type]
        )
        for seed, letter in enumerate(outcomes)
    ]  # fmt: skip


def number(episodes: list[EpisodeFacts], measure: str) -> ReportCell:
    found = measure_of(measure)
    assert found is not None
    return pivot(columns_of_episodes(episodes), [], [found]).cell(0, 0)


# 3 of 4, 0 of 3, 2 of 2 (a third ended by a fault), and one of 1.
TRIED = [*tries("a", "ssfs"), *tries("b", "fff"), *tries("c", "sxs"), *tries("d", "s")]


@pytest.mark.parametrize(
    ("measure", "chances"),
    [
        ("pass@2", [1 - math.comb(1, 2) / math.comb(4, 2), 0, 1]),
        ("pass@3", [1, 0]),
        ("pass@5", []),
        ("pass@1", [3 / 4, 0, 1, 1]),
        ("pass@4", [1]),
        ("pass^4", [0]),
        ("pass^2", [math.comb(3, 2) / math.comb(4, 2), 0, 1]),
        ("pass^3", [math.comb(3, 3) / math.comb(4, 3), 0]),
    ],
)
def test_chances_are_means_over_the_tasks_tried_often_enough(measure: str, chances: list[float]) -> None:
    cell = number(TRIED, measure)
    assert cell.count == len(chances)
    assert cell.value == (pytest.approx(statistics.mean(chances)) if chances else None)


@pytest.mark.parametrize("name", ["pass@0", "pass@04", "pass^101", "pass@-1", "pass@", "pass@2.0", "pass@٣"])
def test_a_number_of_tries_is_whole_and_at_most_a_hundred(name: str) -> None:
    assert measure_of(name) is None


def test_tasks_that_were_tried_too_rarely_are_named_and_not_behind() -> None:
    result = pivot(columns_of_episodes(TRIED), [], [MEASURES["pass@3"]])
    assert result.columns[0].counting is Counting.TASKS
    assert result.columns[0].note == (
        "2 tasks, each of an agent under a condition, were tried fewer than 3 times; they are not counted."
    )
    assert result.cell(0, 0).behind.tolist() == [0, 1, 2, 3, 4, 5, 6]
    assert result.cell(0, 0).positive.tolist() == [0, 1, 3]


def test_a_condition_and_an_agent_are_tasks_of_their_own() -> None:
    episodes = [*tries("a", "sf"), *tries("a", "ff", condition="low"), *tries("a", "ss", model="m")]
    assert number(episodes, "pass^2").count == 3
    by_condition = pivot(columns_of_episodes(episodes), [DIMENSIONS["condition"]], [MEASURES["pass^2"]])
    assert [by_condition.cell(row, 0).value for row in range(2)] == [1 / 2, 0]


# Two tasks with two seeds in three variations. Rates of the runs: 1/2, 1 | 1/2, 1/2 | 0, 0.
VARIED = [
    *tries("a", "ss", variation=""), *tries("b", "fs", variation=""),
    *tries("a", "ss", variation="dark"), *tries("b", "ff", variation="dark"),
    *tries("a", "ff", variation="german"), *tries("b", "ff", variation="german"),
]  # fmt: skip
RATES = (3 / 4, 1 / 2, 0)


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        ("across-std", statistics.stdev(RATES)),
        ("across-mad", statistics.mean(abs(rate - statistics.mean(RATES)) for rate in RATES)),
        ("across-min", 0),
        ("across-max", 3 / 4),
        ("within-std", (statistics.stdev((1 / 2, 1)) + 0 + 0) / 3),
        ("within-mad", (1 / 4 + 0 + 0) / 3),
    ],
)
def test_spreads_are_those_of_the_success_rates(measure: str, value: float) -> None:
    cell = number(VARIED, measure)
    assert (cell.value, cell.count) == (pytest.approx(value), 3)


def test_one_variation_and_one_run_have_no_spread() -> None:
    alone = tries("a", "s")
    assert [number(alone, measure).value for measure in ("across-std", "across-mad", "within-std")] == [
        None
    ] * 3
    assert number(tries("a", "sf"), "across-mad").value is None
    assert number(tries("a", "sf"), "within-mad").value == 1 / 2
