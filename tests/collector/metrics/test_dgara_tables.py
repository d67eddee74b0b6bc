"""D-GARA's Tables 1 to 3 and Figure 3, rebuilt from a list of episodes with the denominators of the paper."""

from __future__ import annotations

from itertools import product

import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.measures.registry import MEASURES
from collector.metrics.papers.dgara import dgara_tables
from collector.metrics.pivot import pivot
from collector.metrics.report import ReportTable
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes
from tests.helpers.published import counts_that_give, numbers_of, printed

TASKS = 152
GEMINI, GPT, QWEN, TARS, CPM = (
    "Gemini2.5-flash",
    "GPT-4o",
    "Qwen2.5-VL-7B",
    "UI-TARS-1.5-72B",
    "AgentCPM-GUI-8B",
)
TREE, SCREEN = "screenshot+tree", "screenshot"
TABLE_1 = {
    GEMINI: ("80.26", "68.42", "73.77"),
    GPT: ("69.08", "60.53", "66.67"),
    QWEN: ("69.08", "46.05", "53.33"),
    TARS: ("50.66", "39.47", "48.05"),
    CPM: ("59.87", "26.97", "39.56"),
}
TABLE_2 = {QWEN: ("96.15", "41.27"), CPM: ("82.35", "9.30")}
TABLE_3 = {
    (CPM, TREE): ("59.87", "26.97"),
    (CPM, SCREEN): ("56.58", "19.74"),
    (GEMINI, TREE): ("80.26", "68.42"),
    (GEMINI, SCREEN): ("45.33", "41.33"),
}
TASKS_OF_TABLE_3 = {(GEMINI, SCREEN): 150}
"""The rows that another number of tasks than 152 gives."""

CATEGORIES = {"Network": 65, "Resource": 43, "Permission": 14, "Malfunction": 14, "UX": 16}
"""The tasks of each anomaly category, as the paper's shares of 152 say (42.8, 28.3, 9.2, 9.2 and 10.5 %)."""
PAIRS = {
    # By category: baselines that succeed, and of them those that succeed under the anomaly, too. Figure 3
    # prints no numbers; these have its shape and the totals of Table 1.
    GEMINI: ((52, 35, 11, 11, 13), (42, 23, 11, 5, 9)),
    GPT: ((45, 30, 9, 10, 11), (34, 15, 9, 5, 7)),
    QWEN: ((45, 30, 9, 10, 11), (24, 15, 5, 5, 7)),
    TARS: ((33, 22, 7, 7, 8), (14, 9, 3, 6, 5)),
    CPM: ((39, 26, 8, 9, 9), (13, 9, 3, 7, 4)),
}


def episode(
    task: int, agent: str, modality: str, succeeds: bool, condition: str = "", buttons: int = 2
) -> EpisodeFacts:
    return EpisodeFacts(
        f"t{task:03}", agent=agent, modality=modality, condition=condition, is_finished=1,
        outcome="success" if succeeds else "failure", met=int(bool(condition)), buttons=buttons, seed=123,
    )  # fmt: skip


def both_conditions(agent: str) -> list[EpisodeFacts]:
    """Baseline and interruption of all 152 tasks, with tree."""
    interrupted = counts_that_give(TABLE_1[agent][1], TASKS)[0]
    bases, boths = PAIRS[agent]
    # What succeeds under the anomaly though its baseline failed.
    extra = interrupted - sum(boths)
    episodes = []
    first = 0
    for (category, tasks), base, both in zip(CATEGORIES.items(), bases, boths, strict=True):
        for at in range(tasks):
            episodes.append(episode(first + at, agent, TREE, at < base))
            holds = at < both or (at >= base and extra > 0)
            extra -= holds and at >= base
            episodes.append(episode(first + at, agent, TREE, holds, category.lower()))
        first += tasks
    assert extra == 0
    return episodes


def without_tree(agent: str) -> list[EpisodeFacts]:
    tasks = TASKS_OF_TABLE_3.get((agent, SCREEN), TASKS)
    base, interrupted = (counts_that_give(cell, tasks)[0] for cell in TABLE_3[agent, SCREEN])
    episodes = [episode(task, agent, SCREEN, task < base) for task in range(tasks)]
    return episodes + [episode(task, agent, SCREEN, task < interrupted, "wifi") for task in range(tasks)]


@pytest.fixture(scope="module")
def tables() -> dict[str, ReportTable]:
    episodes = [facts for agent in TABLE_1 for facts in both_conditions(agent)]
    episodes += [*without_tree(CPM), *without_tree(GEMINI)]
    columns = columns_of_episodes(episodes, anomaly_categories={name.lower(): name for name in CATEGORIES})
    return {table.id: table for table in dgara_tables(columns)}


def test_152_tasks_give_each_cell_but_two_and_150_give_these() -> None:
    impossible = {
        (*row, cell) for row, cells in TABLE_3.items() for cell in cells if not counts_that_give(cell, TASKS)
    }
    assert impossible == {(GEMINI, SCREEN, "45.33"), (GEMINI, SCREEN, "41.33")}
    assert [counts_that_give(cell, 150) for cell in TABLE_3[GEMINI, SCREEN]] == [[68], [62]]
    # Each cell of Table 1 has one numerator; RSR divides by the baselines that succeed.
    for base, interrupted, robust in TABLE_1.values():
        (successes,) = counts_that_give(base, TASKS)
        assert len(counts_that_give(interrupted, TASKS)) == len(counts_that_give(robust, successes)) == 1


def test_table_1_is_rebuilt(tables: dict[str, ReportTable]) -> None:
    numbers = numbers_of(tables["dgara-1"])
    for agent, cells in TABLE_1.items():
        row = numbers[agent, TREE]
        ids = ("sr-none", "sr-anomaly", "rsr")
        assert tuple(printed(row[name], cell) for name, cell in zip(ids, cells, strict=True)) == cells
        # Every anomaly appeared here, so met only changes nothing.
        assert (row["met"].hits, row["met"].count) == (TASKS, TASKS)
        assert (row["rsr-met"], row["sr-met"]) == (row["rsr"], row["sr-anomaly"])


def test_the_drops_are_17_5_points_on_average_and_not_more() -> None:
    """The paper says that the average drop exceeds 17.5 points; its counts give 17.5 exactly."""
    episodes = [facts for agent in TABLE_1 for facts in both_conditions(agent)]
    result = pivot(columns_of_episodes(episodes), [DIMENSIONS["agent"]], [MEASURES["difference"]])
    drops = [result.cell(row, 0) for row in range(len(TABLE_1))]
    assert [drop.count for drop in drops] == [TASKS] * 5
    assert sum(drop.value or 0 for drop in drops) / 5 == pytest.approx(-0.175, abs=1e-15)


def test_table_2_is_rebuilt_from_pairs_of_its_own() -> None:
    numerators: dict[tuple[str, int], int] = {}
    denominators: dict[tuple[str, int], int] = {}
    for agent, cells in TABLE_2.items():
        for buttons, cell in zip((2, 1), cells, strict=True):
            # The fewest pairs that give the cell.
            count = next(count for count in range(1, TASKS + 1) if counts_that_give(cell, count))
            denominators[agent, buttons] = count
            (numerators[agent, buttons],) = counts_that_give(cell, count)
    assert denominators == {(QWEN, 2): 26, (QWEN, 1): 63, (CPM, 2): 17, (CPM, 1): 43}
    episodes = []
    for (agent, buttons), count in denominators.items():
        tasks = range(buttons * 1000, buttons * 1000 + count)
        episodes += [episode(task, agent, TREE, True, buttons=-1) for task in tasks]
        episodes += [
            episode(task, agent, TREE, at < numerators[agent, buttons], "low", buttons)
            for at, task in enumerate(tasks)
        ]
    numbers = numbers_of(next(t for t in dgara_tables(columns_of_episodes(episodes)) if t.id == "dgara-2"))
    for agent, cells in TABLE_2.items():
        row = numbers[agent,]
        assert (
            tuple(printed(row[f"rsr-{buttons}"], cell) for buttons, cell in zip((2, 1), cells, strict=True))
            == cells
        )


@pytest.mark.parametrize("agent", TABLE_2)
def test_the_pairs_of_table_2_are_not_those_of_table_1_split_in_two(agent: str) -> None:
    (successes,) = counts_that_give(TABLE_1[agent][0], TASKS)
    possible = [
        [count for count in range(1, TASKS + 1) if counts_that_give(cell, count)] for cell in TABLE_2[agent]
    ]
    assert successes not in {dual + single for dual, single in product(*possible)}


def test_table_3_is_rebuilt_with_the_tasks_that_each_row_has(tables: dict[str, ReportTable]) -> None:
    numbers = numbers_of(tables["dgara-3"])
    for (agent, modality), cells in TABLE_3.items():
        row = numbers[agent, modality]
        assert (
            tuple(
                printed(row[name], cell) for name, cell in zip(("sr-none", "sr-anomaly"), cells, strict=True)
            )
            == cells
        )
        assert row["sr-none"].count == TASKS_OF_TABLE_3.get((agent, modality), TASKS)


def test_figure_3_has_the_shape_of_the_paper(tables: dict[str, ReportTable]) -> None:
    numbers = {
        agent: {name: row[f"rsr-{name}"] for name in CATEGORIES}
        for (agent, modality), row in numbers_of(tables["dgara-figure-3"]).items()
        if modality == TREE
    }
    for agent, row in numbers.items():
        hits, count = (sum(getattr(cell, part) or 0 for cell in row.values()) for part in ("hits", "count"))
        # The categories of an agent together are its RSR in Table 1.
        assert printed(numbers_of(tables["dgara-1"])[agent, TREE]["rsr"], "1.23") == TABLE_1[agent][2]
        assert (hits, count) == (sum(PAIRS[agent][1]), sum(PAIRS[agent][0]))
    shares = {
        agent: {name: cell.value or 0.0 for name, cell in row.items()} for agent, row in numbers.items()
    }
    assert shares[GEMINI]["Permission"] == shares[GPT]["Permission"] == 1
    for category, others in product(("Permission", "Network"), (QWEN, TARS, CPM)):
        assert min(shares[GEMINI][category], shares[GPT][category]) > shares[others][category]
    for agent in (TARS, CPM):
        assert max(shares[agent], key=shares[agent].__getitem__) == "Malfunction"
