"""Papers' tables of a project: what rows tell apart, the episodes behind a cell, and empty tables."""

from __future__ import annotations

import pytest

from collector.metrics.episode_columns import TaskFacts
from collector.metrics.papers.registry import PAPER_TITLES, PAPERS
from collector.model.task import Task
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes


def episode(task: str, agent: str = "g", **facts: str | int) -> EpisodeFacts:
    return EpisodeFacts(task, agent=agent, **{"outcome": "success", "is_finished": 1, **facts})  # type: ignore[arg-type]


def test_the_language_of_a_phone_tells_rows_apart_only_where_a_task_has_several() -> None:
    own = [episode("a", language="en"), episode("b", language="zh-CN")]
    table = PAPERS["dgara"](columns_of_episodes(own))[0]
    assert (table.label_titles, [row.labels for row in table.rows]) == (("Agent",), [("g",)])
    both = PAPERS["dgara"](columns_of_episodes([*own, episode("a", language="zh-CN")]))[0]
    assert (both.label_titles, len(both.rows)) == (("Agent", "Language"), 2)


def test_models_and_prompts_tell_agents_apart() -> None:
    episodes = [episode("a", model="m"), episode("a", model="n"), episode("b", model="n")]
    table = PAPERS["a3"](columns_of_episodes(episodes))[0]
    assert [row.labels for row in table.rows] == [
        ("g", "m", "SR"), ("g", "m", "ESAR"), ("g", "n", "SR"), ("g", "n", "ESAR"),
    ]  # fmt: skip
    prompts = PAPERS["a3"](columns_of_episodes([episode("a", prompt="p"), episode("b", prompt="q")]))[0]
    assert prompts.label_titles == ("Agent", "Prompt", "Metric")


def test_each_cell_has_the_episodes_of_its_column_and_each_row_its_faults() -> None:
    tasks = {"a": TaskFacts(Task("a", "", level="easy")), "b": TaskFacts(Task("b", "", level="hard"))}
    episodes = [
        episode("a"), episode("b", outcome="failure"), episode("b", outcome="", is_fault=1),
        episode("a", "h"),
    ]  # fmt: skip
    (table,) = PAPERS["a3"](columns_of_episodes(episodes, tasks))
    assert [column.id for column in table.columns] == ["easy", "hard", "overall"]
    behind = [None if cell.behind is None else cell.behind.tolist() for cell in table.rows[0].cells]
    positive = [None if cell.positive is None else cell.positive.tolist() for cell in table.rows[0].cells]
    assert (behind, positive) == ([[0], [1], [0, 1]], [[0], [], [0]])
    assert (table.rows[2].labels, [cell.value for cell in table.rows[2].cells]) == (
        ("h", "SR"),
        [1, None, 1],
    )
    assert table.notes == ("1 episode ended by a fault of the machine; it is in no denominator.",)


def test_a_selection_keeps_the_baselines_of_its_pairs() -> None:
    episodes = [episode("a"), episode("a", condition="low", met=1), episode("a", condition="wifi", met=1)]
    columns = columns_of_episodes(episodes)
    low = columns.where(columns.column("condition") == columns.code("low"))
    row = PAPERS["dgara"](low)[0].rows[0]
    assert [cell.value for cell in row.cells] == [None, 1, 1, 1, 1, 1]
    assert [cell.behind.tolist() for cell in row.cells if cell.behind is not None] == [[], *[[1]] * 5]


@pytest.mark.parametrize("view", PAPERS)
def test_without_an_episode_a_table_has_columns_and_no_row(view: str) -> None:
    tables = PAPERS[view](columns_of_episodes([]))
    assert tables
    assert all(table.columns and not table.rows for table in tables)
    assert set(PAPER_TITLES) == set(PAPERS)
