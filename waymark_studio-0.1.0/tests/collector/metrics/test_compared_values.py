"""What a paired comparison takes of a row of numbers, of a condition, or of two values."""

from __future__ import annotations

import pytest

from collector.metrics.compared_values import (
    ComparedValues,
    compare_row_with_baseline,
    compare_values,
    values_among,
)
from collector.metrics.episode_columns import EpisodeColumns
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes

KINDS = {"low battery": "Resource", "full storage": "Resource", "call": "UX"}


@pytest.fixture(scope="module")
def table() -> EpisodeColumns:
    """Two agents, two tasks, two seeds, no anomaly and three; only ``b`` fails, and only with an anomaly."""
    return columns_of_episodes(
        (
            EpisodeFacts(
                task=task, agent=agent, condition=condition, seed=seed, is_finished=1, modality="both",
                experiment="later" if condition else "first",
                outcome="failure" if condition and agent == "b" else "success",
            )
            for agent in "ab"
            for task in ("one", "two")
            for seed in (1, 2)
            for condition in ("", *KINDS)
        ),
        anomaly_categories=KINDS,
    )  # fmt: skip


def test_a_row_of_a_category_is_compared_with_its_own_baselines(table: EpisodeColumns) -> None:
    comparison = compare_row_with_baseline(table, {"agent": "b", "anomaly-category": "Resource"})
    assert comparison.is_interruption
    assert comparison.all_pairs.count == 8
    assert comparison.all_pairs.difference == -1.0
    assert comparison.names == ("", "Resource")
    assert len(comparison.first_alone) == len(comparison.second_alone) == 0
    agents = {table.texts[code] for code in table.column("agent")[comparison.first]}
    assert agents == {"b"}


def test_a_row_of_baselines_is_compared_with_all_that_differ_by_an_anomaly(table: EpisodeColumns) -> None:
    comparison = compare_row_with_baseline(table, {"agent": "a", "anomaly-category": ""})
    assert comparison.all_pairs.count == 12
    assert comparison.all_pairs.difference == 0.0
    everything = compare_row_with_baseline(table, {})
    assert everything.all_pairs.count == 24


def test_the_baselines_of_another_experiment_are_found(table: EpisodeColumns) -> None:
    comparison = compare_row_with_baseline(table, {"experiment": "later", "agent": "b"})
    assert comparison.all_pairs.count == 12


def test_a_condition_takes_the_place_of_the_anomaly_of_the_row(table: EpisodeColumns) -> None:
    row = {"agent": "b", "anomaly-category": "Resource"}
    comparison = compare_values(table, ComparedValues("condition", "", "call"), row)
    assert comparison.all_pairs.count == 4
    assert {table.texts[code] for code in table.column("condition")[comparison.second]} == {"call"}


def test_two_values_are_compared_within_the_rest_of_the_row(table: EpisodeColumns) -> None:
    row = {"agent": "b", "condition": "call"}
    comparison = compare_values(table, ComparedValues("agent", "a", "b"), row)
    assert not comparison.is_interruption
    assert comparison.all_pairs.count == 4
    assert comparison.all_pairs.difference == -1.0
    conditions = compare_values(table, ComparedValues("condition", "call", "low battery"), row)
    assert conditions.names == ("call", "low battery")
    assert conditions.all_pairs.count == 4
    assert compare_values(table, ComparedValues("agent", "a", "nobody"), {}).all_pairs.count == 0


def test_only_values_of_counted_episodes_are_offered(table: EpisodeColumns) -> None:
    assert values_among(table, "condition") == ("", "call", "full storage", "low battery")
    calls = table.where(table.column("condition") == table.code("call"))
    assert values_among(calls, "condition") == ("call",)
