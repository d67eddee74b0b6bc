"""Numbers over variations, worked by hand or by a formula of another kind: risks, ranges, interactions."""

from __future__ import annotations

import random

import numpy as np
import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns, TaskFacts
from collector.metrics.measures.registry import MEASURES
from collector.metrics.papers.openapps import openapps_tables
from collector.metrics.pivot import pivot
from collector.metrics.statistics.interaction import interaction
from collector.metrics.variation_tables import extremes_table, interaction_table
from collector.model.task import Task
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes
from tests.helpers.late_import import LateImport
from tests.helpers.published import numbers_of

contingency = LateImport("scipy.stats.contingency")

FACTORS = {"dark": ("appearance",), "big": ("appearance",), "german": ("content",), "ask": ("pop_ups",),
           "mixed": ("appearance", "content")}  # fmt: skip
_APPS = {"t0": "Shop", "t1": "Shop", "t2": "Maps", "t3": "Maps"}
TASKS = {name: TaskFacts(Task(name, "", app=app)) for name, app in _APPS.items()}
RATES = {"": (8, 10), "dark": (6, 10), "german": (5, 10), "dark+german": (1, 10)}
"""Successes of ten episodes, over four tasks."""


def episodes(rates: dict[str, tuple[int, int]], agent: str = "a") -> list[EpisodeFacts]:
    return [
        EpisodeFacts(f"t{at % 4}", agent=agent, variation=variation, seed=at // 4, is_finished=1,
                     outcome="success" if at < hits else "failure")
        for variation, (hits, count) in rates.items()
        for at in range(count)
    ]  # fmt: skip


def table_of(rates: dict[str, tuple[int, int]]) -> EpisodeColumns:
    return columns_of_episodes(episodes(rates), TASKS, variation_factors=FACTORS)


def number(table: EpisodeColumns, measure: str) -> float:
    return float(pivot(table, (), (MEASURES[measure],)).columns[0].values[0])


def test_the_interaction_is_the_difference_of_differences() -> None:
    sums = np.array([[8.0, 10, 6, 10, 5, 10, 1, 10]])
    assert interaction(sums).value == pytest.approx((0.1 - 0.5) - (0.6 - 0.8))
    assert interaction(sums).low is None, "one cluster tells nothing of its spread"
    assert interaction(np.array([[8.0, 10, 6, 10, 5, 10, 0, 0]])).value is None
    assert interaction(np.zeros((0, 8))).value is None


def test_it_is_the_coefficient_of_the_product_in_a_linear_model_of_both_factors() -> None:
    draws, rows = random.Random(4), []
    for task in range(30):
        for dark in (0, 1):
            for german in (0, 1):
                chance = 0.8 - 0.2 * dark - 0.1 * german - 0.3 * dark * german
                rows += [(task, dark, german, draws.random() < chance) for _repeat in range(1 + task % 3)]
    tasks, dark, german, success = (np.array(column, float) for column in zip(*rows, strict=True))
    design = np.column_stack([np.ones(len(rows)), dark, german, dark * german])
    coefficients = np.linalg.lstsq(design, success, rcond=None)[0]
    facts = [
        EpisodeFacts(f"task {int(task)}", agent="a", seed=at, is_finished=1,
                     variation="+".join(name for name, on in (("dark", first), ("german", second)) if on),
                     outcome="success" if hit else "failure")
        for at, (task, first, second, hit) in enumerate(rows)
    ]  # fmt: skip
    (row,) = interaction_table(columns_of_episodes(facts), (DIMENSIONS["agent"],)).rows
    cell = row.cells[-1]
    assert cell.value == pytest.approx(coefficients[3], abs=1e-12)
    assert [each.value for each in row.cells[:3]] == pytest.approx(
        [coefficients[0], coefficients[:2].sum(), coefficients[0] + coefficients[2]]
    )
    # The interval of whole tasks that are drawn one by one, with numpy's own draws.
    generator, values = np.random.default_rng(1), []
    for _draw in range(1_500):
        chosen = np.concatenate([np.flatnonzero(tasks == task) for task in generator.integers(0, 30, 30)])
        values.append(np.linalg.lstsq(design[chosen], success[chosen], rcond=None)[0][3])
    assert (cell.low, cell.high) == pytest.approx(tuple(np.quantile(values, (0.025, 0.975))), abs=0.03)


def test_the_risk_under_a_variation_is_against_the_same_task_without_one() -> None:
    table = table_of(RATES)
    failed = {name: count - hits for name, (hits, count) in RATES.items()}
    risks = pivot(table, (DIMENSIONS["variation"],), (MEASURES["variation-risk"],))
    for row, (name,) in enumerate(risks.groups.labels):
        value, column = risks.columns[0].values[row], risks.columns[0]
        if not name:
            assert np.isnan(value)
            continue
        expected = contingency.relative_risk(failed[name], 10, failed[""], 10)
        assert value == pytest.approx(expected.relative_risk)
        interval = expected.confidence_interval(0.95)
        assert (column.low[row], column.high[row]) == pytest.approx((interval.low, interval.high))
    only_german = table.where(table.column("variation") == table.code("german"))
    assert number(only_german, "variation-risk") == pytest.approx(5 / 2), "a filter hides no reference"
    first = columns_of_episodes([*episodes(RATES), *episodes({"": (0, 40)}, "other")], TASKS)
    of_agents = pivot(first, (DIMENSIONS["agent"],), (MEASURES["variation-risk"],)).columns[0].values
    assert of_agents[0] == pytest.approx((18 / 30) / (2 / 10)), "another agent is no reference"
    assert np.isnan(of_agents[1])


def test_range_and_ratio_of_the_spreads_are_those_of_their_parts() -> None:
    table = table_of(RATES)
    rates = np.array([0.8, 0.6, 0.5, 0.1])
    assert number(table, "across-range") == pytest.approx(0.7)
    # Runs are the seeds: of ten episodes four, four and two.
    runs = [[min(4, max(0, hits - first)) / size for first, size in ((0, 4), (4, 4), (8, 2))]
            for hits in (8, 6, 5, 1)]  # fmt: skip
    within = np.mean(np.std(runs, axis=1, ddof=1))
    assert number(table, "within-std") == pytest.approx(within)
    assert number(table, "spread-ratio") == pytest.approx(np.std(rates, ddof=1) / within)
    once = {name: (hits > 5, 1) for name, (hits, _count) in RATES.items()}
    assert np.isnan(number(table_of(once), "spread-ratio")), "one run has no spread"
    never = {"": (8, 8), "dark": (0, 8)}
    assert number(table_of(never), "spread-ratio") == np.inf


def test_variations_are_broken_down_by_the_factor_that_they_change() -> None:
    table = table_of({"": (1, 2), "dark": (1, 2), "dark+german@shop": (1, 2), "ask": (1, 2), "mixed": (1, 2),
                      "gone+dark": (1, 2), "default": (1, 2)})  # fmt: skip

    def labels(name: str) -> list[str]:
        texts, codes = DIMENSIONS[name].values(table)
        return [texts[code] for code in codes[::2]]

    assert labels("factor") == ["", "appearance", "appearance, content", "pop_ups", "appearance, content",
                                "other, appearance", ""]  # fmt: skip
    assert labels("appearance") == ["", "dark", "dark", "", "mixed", "dark", ""]
    assert labels("content") == ["", "", "german@shop", "", "mixed", "", ""]
    assert labels("pop-ups") == ["", "", "", "ask", "", "", ""]


def test_the_paper_names_the_best_and_the_worst_variation_of_each_agent() -> None:
    both = columns_of_episodes([*episodes(RATES), *episodes({"dark": (3, 4)}, "one alone")], TASKS)
    extremes = extremes_table(both, (DIMENSIONS["agent"],))
    assert [(*row.labels, row.cells[0].value) for row in extremes.rows] == [
        ("a", "best", "default", 0.8), ("a", "worst", "dark+german", 0.1),
    ]  # fmt: skip


def test_the_paper_has_spreads_by_app_and_factor_and_every_interaction() -> None:
    tables = {table.id: table for table in openapps_tables(table_of({**RATES, "ask": (4, 10)}))}
    by_app = numbers_of(tables["openapps-apps"])
    assert set(by_app) == {("a", "Maps"), ("a", "Shop")}
    hits = {name: sum(at % 4 < 2 for at in range(count)) for name, (count, _all) in RATES.items()}
    assert by_app["a", "Shop"]["across-max"].value == max(hits.values()) / 6
    by_factor = numbers_of(tables["openapps-factors"])
    assert by_factor["a", "appearance"]["sr"].value == pytest.approx(0.6)
    assert by_factor["a", "appearance, content"]["sr"].value == pytest.approx(0.1)
    (pair,) = tables["openapps-interactions"].rows
    assert pair.labels == ("a", "dark", "german")
    assert pair.cells[-1].value == pytest.approx(-0.2)
    assert len(pair.episodes) == 40
    few = {table.id for table in openapps_tables(table_of({"dark": (1, 2)}))}
    assert few.isdisjoint({"openapps-extremes", "openapps-interactions"})
