"""The matrix of an experiment, and what a run of it will take."""

from __future__ import annotations

from dataclasses import replace

import pytest

from collector.run.experiment.estimate import MeasuredEpisodes, estimate
from collector.run.experiment.matrix import cell_count, cells, in_run_order
from collector.run.experiment.model import Cell
from tests.collector.run.experiment.scopes import KINDS, experiment_scope, read

TEXT = """\
tasks: [shop-2, todo-1]
agents: [golden, monkey]
conditions: [baseline, {id: low, anomaly: low_double, at: 3}]
modality: [screenshot, screenshot+tree, tree]
seeds: [1, 2]
repeats: 2
phones: {virtual: 2}
"""


def test_cells_come_in_the_order_of_the_file_and_only_with_modalities_of_the_kind() -> None:
    experiment = read(TEXT).experiment
    listed = list(cells(experiment, KINDS))
    assert (
        len(listed) == len({cell.id for cell in listed}) == cell_count(experiment, KINDS) == 2 * 4 * 2 * 2 * 2
    )
    assert listed[:3] == [
        Cell("shop-2", "golden", "baseline", "screenshot+tree", seed=1),
        Cell("shop-2", "golden", "baseline", "screenshot+tree", seed=1, repeat=1),
        Cell("shop-2", "golden", "baseline", "screenshot+tree", seed=2),
    ]
    assert {cell.modality for cell in listed if cell.agent == "monkey"} == {"screenshot", "screenshot+tree"}
    assert listed == list(cells(experiment, KINDS))


def test_the_beginning_of_a_run_compares_agents_on_tasks_from_all_over_the_list() -> None:
    experiment = read(TEXT).experiment
    tasks = tuple(f"task-{number}" for number in range(1, 9))
    experiment = replace(experiment, tasks=tasks)
    matrix = list(cells(experiment, KINDS))
    order = in_run_order(matrix)
    assert sorted(order, key=lambda cell: cell.id) == sorted(matrix, key=lambda cell: cell.id)
    assert order == in_run_order(matrix)
    first = order[:16]
    assert [cell.agent for cell in first] == ["golden", "monkey"] * 8
    assert [cell.task for cell in first[::2]] == [f"task-{number}" for number in (1, 5, 3, 7, 2, 6, 4, 8)]
    assert {(cell.condition, cell.seed, cell.repeat) for cell in first} == {("baseline", 1, 0)}
    # Each agent begins with its own first modality.
    assert {cell.agent: cell.modality for cell in first} == {
        "golden": "screenshot+tree", "monkey": "screenshot",
    }  # fmt: skip
    assert {cell.condition for cell in order[16:32]} == {"low"}
    assert [cell.task for cell in in_run_order(matrix[:1])] == ["task-1"]


def test_without_modalities_each_agent_has_its_usual_one() -> None:
    experiment = read("tasks: [shop-1]\nagents: [golden, asked, monkey]\n").experiment
    usual = {cell.agent: cell.modality for cell in cells(experiment, KINDS)}
    assert usual == {"golden": "screenshot+tree", "asked": "screenshot", "monkey": "screenshot"}


def test_an_estimate_takes_budgets_phones_and_measured_episodes_into_account() -> None:
    experiment, tasks = read(TEXT).experiment, experiment_scope().tasks
    first = estimate(experiment, KINDS, tasks)
    assert (first.episodes, first.phones) == (64, 2)
    assert first.steps == (20 + 15) * 32
    assert first.cost == pytest.approx(0.01 * first.steps)
    assert (first.seconds, first.seconds_of(0.5), first.is_cost_at_most) == (None, None, True)
    assert estimate(replace(experiment, budget=1), KINDS, tasks).steps == 64
    measured = {
        ("golden", "", ""): MeasuredEpisodes(9, 4.0, 0.5),
        ("golden", "", "todo-1"): MeasuredEpisodes(3, 2.0, 0.0),
    }
    some = estimate(experiment, KINDS, tasks, measured=measured)
    assert (some.seconds, some.agents[0].seconds is None, some.agents[1].seconds) == (None, False, None)
    measured["monkey", "", ""] = MeasuredEpisodes(1, 1.0, 0.0)
    known, alone = (estimate(experiment, KINDS, tasks, phones, measured) for phones in (2, 1))
    assert alone.seconds_of(1) == alone.seconds > alone.start_s == alone.seconds_of(0) > 0
    assert 2 * (known.seconds - known.start_s) == pytest.approx(alone.seconds - alone.start_s, rel=0.1)
    golden = known.agents[0]
    assert (golden.seconds, golden.cost, golden.measured) == (16 * 4.0 + 16 * 2.0, 16 * 0.5, 9)


def test_an_estimate_knows_conditions_what_is_left_and_the_phone_that_is_done_last() -> None:
    experiment, tasks = read(TEXT).experiment, experiment_scope().tasks
    measured = {
        ("golden", "", ""): MeasuredEpisodes(9, 4.0, 0.0),
        ("golden", "low", ""): MeasuredEpisodes(4, 10.0, 0.0),
        ("golden", "low", "todo-1"): MeasuredEpisodes(1, 30.0, 0.0),
    }
    left = {
        ("golden", "baseline", "shop-2"): 2,
        ("golden", "low", "shop-2"): 2,
        ("golden", "low", "todo-1"): 1,
    }
    taken = estimate(experiment, KINDS, tasks, 2, measured, left)
    assert (taken.episodes, taken.agents[0].seconds, taken.agents[1].episodes) == (5, 58.0, 0)
    assert taken.seconds - taken.start_s == 34.0, "4 and 30 on one phone, 10, 4 and 10 on the other"
    nothing = estimate(experiment, KINDS, tasks, 2, measured, {})
    assert (nothing.episodes, nothing.steps, nothing.cost) == (0, 0, 0)
