"""What an anomaly costs, and what episodes take, counted by hand; and what agents claim of themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.episode_columns import EpisodeColumns, TaskFacts
from collector.metrics.measures.registry import MEASURES
from collector.metrics.needed_states import NeededState
from collector.metrics.pivot import pivot
from collector.metrics.report_cell import ReportCell
from collector.model.task import Task
from collector.store.catalogue.catalogue_row import listed
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes

NEEDED = (NeededState(("open",)), NeededState(("cart",), ("wish",)), NeededState(("paid",)))
TASKS = {name: TaskFacts(Task(name, ""), NEEDED, golden_steps=4.0) for name in ("a", "b")}
# Baselines of a and b, then both under an anomaly that came before step 2 and was gone at step 4 (b: never).
EPISODES = (
    EpisodeFacts("a", outcome="success", is_finished=1, steps=4, actions=4, claimed="complete",
                 duration_ms=8_000, time_ms=4_000, input_tokens=100, output_tokens=20, cost=0.5,
                 currency="USD"),
    EpisodeFacts("b", outcome="success", is_finished=1, steps=6, actions=6, duration_ms=10_000, cost=0.25,
                 currency="USD"),
    EpisodeFacts("a", outcome="success", condition="low", is_finished=1, steps=9, actions=9, met=1, met_at=2,
                 over_at=4, claimed="answer", time_ms=18_000, input_tokens=300, output_tokens=60),
    EpisodeFacts("b", outcome="failure", condition="low", is_finished=1, steps=5, met=1, met_at=2,
                 claimed="complete", cost=0.25, currency="USD"),
    EpisodeFacts("a", outcome="failure", condition="wifi", is_finished=1, steps=7, met=1, met_at=1, over_at=4,
                 claimed="impossible", input_tokens=5),
    EpisodeFacts("b", outcome="uncompleted", condition="wifi", is_finished=1, steps=15, met=1, met_at=1,
                 over_at=4),
)  # fmt: skip
STATES = ((3, 3), (3, 3), (3, 3), (1, 3), (2, 3), (3, 3))
STEPS = (
    [], [], [], ["open=1"],
    ["open=1", "cart=2", "wish=6"],  # The alternatives are reached at step 2: nothing is reached after.
    ["open=1", "cart=4", "paid=9", "unneeded=10"],
)  # fmt: skip


@pytest.fixture
def table() -> EpisodeColumns:
    columns = columns_of_episodes(EPISODES, TASKS, states=STATES)
    texts = [*columns.texts, *(listed(steps) for steps in STEPS)]
    codes = np.arange(len(columns.texts), len(texts))
    verdicts = replace(columns.verdicts, steps=np.where([bool(steps) for steps in STEPS], codes, 0))
    return EpisodeColumns(columns.records, texts, TASKS, verdicts)


def number(table: EpisodeColumns, measure: str) -> ReportCell:
    return pivot(table, [], [MEASURES[measure]]).cell(0, 0)


@pytest.mark.parametrize(
    ("measure", "value", "count"),
    [
        # Success of a under low; progress of b under wifi after the anomaly; the others neither.
        ("recovered", 2 / 4, 4),
        ("anomaly-steps", (2 + 3 + 3) / 3, 3),
        ("steps-lost", 9 - 4, 1),
        ("states-lost", (0 + 2 + 1 + 0) / 4, 4),
        ("steps", (4 + 6 + 9 + 5 + 7 + 15) / 6, 6),
        ("steps-ratio", (4 / 4 + 6 / 4 + 9 / 4) / 3, 3),
        ("time", 9.0, 2),
        ("answer-time", 22 / 13, 2),
        # Where only one of both numbers is known, there is no sum.
        ("tokens", (120 + 360) / 2, 2),
        ("cost", 1 / 3, 3),
        ("success-cost", 1 / 2, 3),
        # "impossible" claims no completion.
        ("claimed-early", 1 / 3, 3),
        # Three successes and the episode that reached all states; two of them say nothing.
        ("never-claimed", 2 / 4, 4),
    ],
)
def test_numbers_are_those_counted_by_hand(
    table: EpisodeColumns, measure: str, value: float, count: int
) -> None:
    cell = number(table, measure)
    assert (cell.value, cell.count) == (pytest.approx(value), count)


def test_a_state_that_nobody_judged_keeps_an_episode_from_being_done(table: EpisodeColumns) -> None:
    open_ = columns_of_episodes(EPISODES, TASKS, states=[(2, 2)] * 6)
    assert number(open_, "never-claimed").count == 3
    assert number(table, "never-claimed").count == 4


def test_costs_of_two_currencies_have_no_sum() -> None:
    euros = EpisodeFacts("b", agent="e", outcome="success", is_finished=1, cost=2.0, currency="EUR")
    table = columns_of_episodes((*EPISODES, euros), TASKS)
    column = pivot(table, [], [MEASURES["cost"]]).columns[0]
    assert np.isnan(column.values[0])
    assert column.note == "There are costs in EUR, USD; different currencies are not added."
    by_agent = pivot(table, [DIMENSIONS["agent"]], [MEASURES["cost"]])
    assert [by_agent.cell(row, 0).value for row in range(2)] == [pytest.approx(1 / 3), 2.0]


def test_without_known_steps_of_states_only_a_success_is_a_recovery() -> None:
    assert number(columns_of_episodes(EPISODES, TASKS, states=STATES), "recovered").value == 1 / 4
