"""A pivot counts what its measures say, by group, and names the episodes behind every number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import different
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pairs import baselines_of
from collector.metrics.pivot import pivot
from collector.metrics.rendering.junit_xml import suites_of_report
from collector.metrics.report import report_of
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes

EPISODES = (
    EpisodeFacts("a", agent="g", outcome="success", is_finished=1, started_ms=1),
    EpisodeFacts("a", agent="g", outcome="failure", condition="low", is_finished=1, started_ms=2),
    EpisodeFacts("a", agent="g", outcome="", condition="low", is_finished=1, is_fault=1, started_ms=3),
    EpisodeFacts("b", agent="h", outcome="uncompleted", is_finished=1, is_early_stop=1, started_ms=4),
)


def test_each_cell_has_its_counts_its_interval_and_its_episodes() -> None:
    table = columns_of_episodes(EPISODES)
    result = pivot(
        table, [DIMENSIONS["agent"], DIMENSIONS["condition"]], [MEASURES["sr"], MEASURES["early-stop"]]
    )
    assert result.groups.labels == (("g", ""), ("g", "low"), ("h", ""))
    assert [(result.cell(row, 0).value, result.cell(row, 0).count) for row in range(3)] == [
        (1, 1),
        (0, 1),
        (0, 1),
    ]
    assert result.cell(0, 1).value is None
    assert result.cell(2, 1).value == 1
    assert [result.cell(row, 0).behind.tolist() for row in range(3)] == [[0], [1], [3]]
    assert [result.cell(row, 0).positive.tolist() for row in range(3)] == [[0], [], []]
    assert result.faults.tolist() == [0, 1, 0]
    low, high = result.cell(1, 0).low, result.cell(1, 0).high
    assert low == 0
    assert high is not None
    assert round(high, 4) == 0.7935


def test_numbers_are_broken_down_by_the_values_of_parameters() -> None:
    milk = "\nday=Friday\ntitle=Milk"
    given = (("", "success"), (milk, "success"), (milk, "failure"))
    facts = [
        EpisodeFacts("a", agent="g", parameters=values, outcome=outcome, is_finished=1, started_ms=number)
        for number, (values, outcome) in enumerate(given)
    ]
    result = pivot(columns_of_episodes(facts), [DIMENSIONS["parameters"]], [MEASURES["sr"]])
    assert result.groups.labels == (("",), ("day=Friday, title=Milk",))
    assert [result.cell(row, 0).value for row in range(2)] == [1, 0.5]


def test_pairs_are_found_under_every_selection_and_faults_pair_with_nothing() -> None:
    table = columns_of_episodes(EPISODES)
    assert baselines_of(table).tolist() == [-1, 0, -1, -1]
    assert baselines_of(table.where(table.interrupted)).tolist() == [-1, 0, -1, -1]


def test_a_report_says_how_many_faults_there_were() -> None:
    report = report_of(pivot(columns_of_episodes(EPISODES), [DIMENSIONS["agent"]], [MEASURES["sr"]]))
    assert report.notes[0].startswith("1 episode ended by a fault of the machine")
    assert [row.labels for row in report.rows] == [("g",), ("h",)]


def test_a_stopped_episode_is_counted_by_nothing_and_is_no_fault() -> None:
    stopped = EpisodeFacts("a", agent="g", outcome="success", is_stopped=1, by_person=1)
    table = columns_of_episodes([*EPISODES, stopped])
    result = pivot(table, [DIMENSIONS["agent"]], [MEASURES["sr"], MEASURES["loops"]])
    assert [result.cell(0, column).count for column in range(2)] == [2, 2]
    assert result.faults.tolist() == [1, 0]
    assert report_of(result).notes[:2] == (
        "1 episode ended by a fault of the machine; it is in no denominator.",
        "1 episode was stopped by a person; it is in no denominator.",
    )
    (of_g, _of_h) = suites_of_report(report_of(result), table, str, lambda _episode: "")
    assert [(case.result, case.reason) for case in of_g.cases][2:] == [
        ("error", "A fault of the machine ended it"), ("skipped", "A person stopped it"),
    ]  # fmt: skip


def test_a_server_for_test_results_sees_the_last_attempt_at_a_cell_with_its_reason() -> None:
    def attempt(number: int, cell: str = "a / g", **values: Any) -> EpisodeFacts:
        return EpisodeFacts("a", experiment="pilot", cell=cell, agent="g", seed=1, repeat=0, attempt=number,
                            started_ms=number, **values)  # fmt: skip

    table = columns_of_episodes(
        [
            attempt(0, is_fault=1), attempt(1, is_fault=1), attempt(2, outcome="success", is_finished=1),
            attempt(0, "b / g", is_fault=1), attempt(1, "b / g", is_fault=1),
        ]
    )  # fmt: skip
    report = report_of(pivot(table, [DIMENSIONS["agent"]], [MEASURES["sr"]]))
    (suite,) = suites_of_report(report, table, str, lambda episode: f"The phone is away: {episode}")
    assert [(case.name, case.result, case.reason) for case in suite.cases] == [
        ("2", "", ""), ("4", "error", "The phone is away: 4"),
    ]  # fmt: skip


@pytest.mark.parametrize("values", [[], [5], [3, -1, 3, 0], [7, 7], [2**62, -5, 2**62], [0, 1_000_000, 0]])
def test_different_values_are_numbered_as_numpy_does(values: list[int]) -> None:
    numbers = np.array(values, np.int64)
    present, own = different(numbers)
    assert present[own].tolist() == values
    assert present.tolist() == sorted(set(values))
