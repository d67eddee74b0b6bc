"""Robustness counted by hand: SR without and with an anomaly, RSR over pairs, met only, and the notes."""

from __future__ import annotations

import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns
from collector.metrics.measure import Counting
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.metrics.report_cell import ReportCell
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes


def episode(
    task: str, outcome: str, condition: str = "", *, met: int = 0, seed: int = 1, is_fault: int = 0
) -> EpisodeFacts:
    return EpisodeFacts(
        task, agent="g", outcome=outcome, condition=condition, met=met, seed=seed, is_finished=1,
        is_fault=is_fault,
    )  # fmt: skip


# Baselines: a, b, c succeed, d fails. Under the anomaly: a holds, b breaks, c never met it and holds,
# d succeeds although its baseline failed, e has no baseline, and f ended by a fault.
EPISODES = (
    episode("a", "success"), episode("b", "success"), episode("c", "success"), episode("d", "failure"),
    episode("f", "success"),
    episode("a", "success", "low", met=1), episode("b", "uncompleted", "low", met=1),
    episode("c", "success", "low"), episode("d", "success", "low", met=1),
    episode("e", "success", "low", met=1), episode("f", "", "low", met=1, is_fault=1),
)  # fmt: skip


def number(table: EpisodeColumns, measure: str) -> ReportCell:
    return pivot(table, [], [MEASURES[measure]]).cell(0, 0)


@pytest.mark.parametrize(
    ("measure", "hits", "count"),
    [
        ("sr-none", 4, 5),
        ("sr-anomaly", 4, 5),
        ("sr-met", 3, 4),
        ("met", 4, 5),
        ("rsr", 2, 3),
        ("rsr-met", 1, 2),
    ],
)
def test_rates_count_what_they_say(measure: str, hits: int, count: int) -> None:
    cell = number(columns_of_episodes(EPISODES), measure)
    assert (cell.hits, cell.count) == (hits, count)
    assert cell.value == hits / count


def test_the_difference_is_that_of_the_pairs() -> None:
    cell = number(columns_of_episodes(EPISODES), "difference")
    assert (cell.count, cell.value) == (4, (0 - 1 + 0 + 1) / 4)


def test_a_pair_opens_its_interrupted_episodes() -> None:
    result = pivot(columns_of_episodes(EPISODES), [], [MEASURES["rsr"]])
    assert result.columns[0].counting is Counting.PAIRS
    assert result.cell(0, 0).behind.tolist() == [5, 6, 7]
    assert result.cell(0, 0).positive.tolist() == [5, 7]


def test_a_condition_keeps_its_pairs_when_its_baselines_are_filtered_away() -> None:
    table = columns_of_episodes(EPISODES)
    filtered = table.where(table.interrupted)
    assert number(filtered, "rsr") == number(table, "rsr")
    assert number(filtered, "sr-none").value is None


def test_the_note_names_the_unit_only_where_seeds_differ_and_counts_lone_episodes() -> None:
    alone = "1 episode with an anomaly has no baseline and is in no pair."
    table = columns_of_episodes(EPISODES)
    assert pivot(table, [], [MEASURES["rsr"]]).columns[0].note == (
        f"Both episodes of a pair have the same task. {alone}"
    )
    seeds = (
        episode("a", "success", seed=2), episode("a", "failure", "low", seed=2),
        episode("a", "failure", "low", seed=3),
    )  # fmt: skip
    column = pivot(columns_of_episodes((*EPISODES[:10], *seeds)), [], [MEASURES["rsr"]]).columns[0]
    assert column.note.startswith("Both episodes of a pair have the same task and seed.")
    assert column.note.endswith("2 episodes with an anomaly have no baseline and are in no pair.")
    # The new pair of seed 2 counts for itself; seed 3 has no baseline of its seed.
    assert (int((column.hits or [0])[0]), int(column.counts[0])) == (2, 4)  # type: ignore[index]


def test_each_condition_has_its_pairs() -> None:
    extra = (episode("a", "failure", "wifi", met=1), episode("b", "success", "wifi", met=1))
    result = pivot(
        columns_of_episodes((*EPISODES, *extra)),
        [DIMENSIONS["condition"]],
        [MEASURES["rsr"], MEASURES["sr-anomaly"]],
    )
    assert result.groups.labels == (("",), ("low",), ("wifi",))
    assert [result.cell(row, 0).value for row in range(3)] == [None, 2 / 3, 1 / 2]
    assert [result.cell(row, 1).count for row in range(3)] == [0, 5, 2]
