"""ProBench's Tables 3 and 4, rebuilt from episodes of its 217 tasks. Each cell has an integer count."""

from __future__ import annotations

import pytest

from collector.metrics.episode_columns import TaskFacts
from collector.metrics.papers.probench import probench_tables
from collector.metrics.report import ReportTable
from collector.model.task import PROCESS_TASK, STATE_TASK, Task
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes
from tests.helpers.published import counts_that_give, numbers_of, printed

COLUMNS = (
    "en-st", "en-pt", "en-all", "zh-st", "zh-pt", "zh-all", "overall-st", "overall-pt", "overall-all",
)  # fmt: skip
TASKS = dict(zip(COLUMNS, (52, 23, 75, 97, 45, 142, 149, 68, 217), strict=True))
"""How many tasks each column of Table 3 has. The paper prints them in a figure only."""
NONE = "0.0 " * 9
TABLE_3 = {
    "GPT-4o": NONE,
    "Claude 4 Sonnet": NONE,
    "Gemini 2.5 Pro": "44.2 21.7 37.3 46.4 31.1 41.5 45.6 27.9 40.1",
    "Qwen2.5-VL-7B": "7.7 0.0 5.3 6.2 2.2 4.9 6.7 1.5 5.1",
    "Qwen2.5-VL-32B": "26.9 8.7 21.3 14.4 13.3 14.1 18.8 11.8 16.6",
    "Qwen2.5-VL-72B": "63.5 30.4 53.3 28.9 26.7 28.2 40.9 27.9 36.9",
    "InternVL3-8B": "13.5 0.0 9.3 3.1 2.2 2.8 6.7 1.5 5.1",
    "UI-TARS-1.5-7B": "26.9 8.7 21.3 3.1 0.0 2.1 11.4 2.9 8.8",
    "UI-R1-E-3B": NONE,
    "GUI-R1-3B": "15.4 0.0 10.7 10.3 0.0 7.0 12.1 0.0 8.3",
}
TABLE_4 = {
    "Gemini 2.5 Pro": ("90.0", "49.6"),
    "Qwen2.5-VL-7B": ("93.7", "63.7"),
    "Qwen2.5-VL-32B": ("92.3", "67.1"),
    "Qwen2.5-VL-72B": ("71.5", "50.0"),
    "InternVL3-8B": ("59.2", "77.9"),
    "UI-TARS-1.5-7B": ("98.0", "43.8"),
    "GUI-R1-3B": ("25.6", "58.8"),
}
PARTS = (("en", STATE_TASK), ("en", PROCESS_TASK), ("zh-CN", STATE_TASK), ("zh-CN", PROCESS_TASK))
PART_COLUMNS = ("en-st", "en-pt", "zh-st", "zh-pt")
DEFINITIONS = {
    f"{language} {kind} {number}": Task(f"{language} {kind} {number}", "", type=kind, language=language)
    for (language, kind), column in zip(PARTS, PART_COLUMNS, strict=True)
    for number in range(TASKS[column])
}


def successes(agent: str) -> dict[str, int]:
    """By column of Table 3, the only count that gives the cell."""
    counts = {}
    for column, cell in zip(COLUMNS, TABLE_3[agent].split(), strict=True):
        (counts[column],) = counts_that_give(cell, TASKS[column])
    return counts


def uncompleted(agent: str) -> tuple[int, int]:
    """Uncompleted episodes, and the early-stopped of them; all of an agent that Table 4 leaves out."""
    failed = TASKS["overall-all"] - successes(agent)["overall-all"]
    if agent not in TABLE_4:
        return failed, 0
    (without_signal,) = counts_that_give(TABLE_4[agent][0], failed)
    (early,) = counts_that_give(TABLE_4[agent][1], without_signal)
    return without_signal, early


def episodes_of(agent: str) -> list[EpisodeFacts]:
    wanted = dict(zip(PARTS, (successes(agent)[column] for column in PART_COLUMNS), strict=True))
    open_, early = uncompleted(agent)
    episodes = []
    for name, task in DEFINITIONS.items():
        outcome = "failure"
        if wanted[task.language, task.type]:
            wanted[task.language, task.type] -= 1
            outcome = "success"
        elif open_:
            open_ -= 1
            outcome = "uncompleted"
        stops = outcome == "uncompleted" and early > 0
        early -= stops
        episodes.append(
            EpisodeFacts(name, agent=agent, outcome=outcome, is_finished=1, is_early_stop=int(stops),
                         claimed="" if outcome == "uncompleted" else "complete")
        )  # fmt: skip
    return episodes


@pytest.fixture(scope="module")
def tables() -> dict[str, ReportTable]:
    facts = {name: TaskFacts(task) for name, task in DEFINITIONS.items()}
    columns = columns_of_episodes([facts for agent in TABLE_3 for facts in episodes_of(agent)], facts)
    return {table.id: table for table in probench_tables(columns)}


@pytest.mark.parametrize("column", COLUMNS)
def test_the_denominators_are_the_fewest_tasks_that_give_all_cells_of_a_column(column: str) -> None:
    cells = [row.split()[COLUMNS.index(column)] for row in TABLE_3.values()]
    fewest = next(n for n in range(1, 218) if all(counts_that_give(cell, n) for cell in cells))
    assert fewest == TASKS[column]


@pytest.mark.parametrize("agent", TABLE_3)
def test_each_cell_has_one_count_and_the_counts_add_up(agent: str) -> None:
    counts = successes(agent)
    for language in ("en", "zh", "overall"):
        assert counts[f"{language}-st"] + counts[f"{language}-pt"] == counts[f"{language}-all"]
    for kind in ("st", "pt", "all"):
        assert counts[f"en-{kind}"] + counts[f"zh-{kind}"] == counts[f"overall-{kind}"]


def test_table_3_is_rebuilt(tables: dict[str, ReportTable]) -> None:
    numbers = numbers_of(tables["probench-3"])
    for agent, cells in TABLE_3.items():
        row = numbers[agent,]
        assert [row[column].count for column in COLUMNS] == [TASKS[column] for column in COLUMNS]
        assert [printed(row[column], "0.0") for column in COLUMNS] == cells.split()
    groups = list(dict.fromkeys(column.group for column in tables["probench-3"].columns))
    assert groups == ["English", "Chinese", "Overall"]
    assert [column.title for column in tables["probench-3"].columns[:3]] == ["ST", "PT", "Avg."]


def test_table_4_is_rebuilt(tables: dict[str, ReportTable]) -> None:
    numbers = numbers_of(tables["probench-4"])
    for agent, cells in TABLE_4.items():
        row = numbers[agent,]
        assert (printed(row["uncompleted"], "0.0"), printed(row["early-stop"], "0.0")) == cells
        # Early stops are among the uncompleted, these among the failed, and the three outcomes are all.
        assert row["early-stop"].count == row["uncompleted"].hits
        assert row["uncompleted"].count == TASKS["overall-all"] - successes(agent)["overall-all"]
        outcomes = [row[name].hits or 0 for name in ("success", "failure", "uncompleted-rate")]
        assert sum(outcomes) == TASKS["overall-all"]
