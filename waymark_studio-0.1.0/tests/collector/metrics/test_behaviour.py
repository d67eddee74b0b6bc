"""Behaviour counted by hand: loops and their risk, invalid answers, the wrong app, drift and answers."""

from __future__ import annotations

import pytest

from collector.metrics.episode_columns import EpisodeColumns, TaskFacts
from collector.metrics.measure import Counting
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.model.task import Task
from collector.store.catalogue.catalogue_row import listed
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes

# Of four episodes with a loop three fail; of four without one a single one fails.
EPISODES = (
    EpisodeFacts("a", outcome="failure", is_finished=1, loop_length=3, steps=10, malformed=1, package="shop"),
    EpisodeFacts("a", outcome="uncompleted", is_finished=1, loop_length=9, steps=20, hallucinated=3),
    EpisodeFacts("b", outcome="failure", is_finished=1, loop_length=5, steps=5, package="maps"),
    EpisodeFacts("b", outcome="success", is_finished=1, loop_length=4, steps=5, package="shop"),
    EpisodeFacts("a", outcome="failure", is_finished=1, loop_length=2, steps=4, met=1, covered_steps=2,
                 answers=listed(["low=accept", "wifi="])),
    EpisodeFacts("a", outcome="success", is_finished=1, steps=3, met=1, answers=listed(["low=dismiss"])),
    EpisodeFacts("a", outcome="success", is_finished=1, steps=3, met=1, answers=listed(["low="])),
    EpisodeFacts("c", outcome="success", is_finished=1, package="maps"),
    EpisodeFacts("a", outcome="", is_finished=1, is_fault=1, loop_length=9, steps=9, malformed=9, met=1,
                 covered_steps=1, answers=listed(["low=accept"])),
)  # fmt: skip
TASKS = {"a": TaskFacts(Task("a", "", package="shop")), "b": TaskFacts(Task("b", "", package="shop"))}


@pytest.fixture
def table() -> EpisodeColumns:
    return columns_of_episodes(EPISODES, TASKS)


@pytest.mark.parametrize(
    ("measure", "hits", "count", "counting"),
    [
        ("loops", 4, 8, Counting.EPISODES),
        ("malformed", 1, 50, Counting.STEPS),
        ("hallucinated", 3, 50, Counting.STEPS),
        ("invalid", 4, 50, Counting.STEPS),
        # The task c names no app, and of three episodes nobody knows where they were.
        ("wrong-app", 1, 3, Counting.EPISODES),
        ("drift", 1, 3, Counting.EPISODES),
        ("answered", 2, 4, Counting.ANOMALIES),
    ],
)
def test_rates_count_what_they_say(
    table: EpisodeColumns, measure: str, hits: int, count: int, counting: Counting
) -> None:
    result = pivot(table, [], [MEASURES[measure]])
    cell = result.cell(0, 0)
    assert (cell.hits, cell.count, result.columns[0].counting) == (hits, count, counting)
    assert cell.value == hits / count


def test_the_risk_of_a_loop_is_relative_to_episodes_without_one(table: EpisodeColumns) -> None:
    result = pivot(table, [], [MEASURES["loop-risk"]])
    cell = result.cell(0, 0)
    assert (cell.value, cell.count) == ((3 / 4) / (1 / 4), 8)
    assert cell.low is not None
    assert cell.high is not None
    # By hand: exp(ln 3 +- 1.96 * sqrt(1/3 - 1/4 + 1/1 - 1/4)).
    assert (round(cell.low, 3), round(cell.high, 3)) == (0.501, 17.954)
    assert result.cell(0, 0).positive.tolist() == [0, 1, 2]


def test_without_loops_there_is_no_risk(table: EpisodeColumns) -> None:
    no_loops = table.where(table.column("loop_length") < 3)
    assert pivot(no_loops, [], [MEASURES["loop-risk"]]).cell(0, 0).value is None
