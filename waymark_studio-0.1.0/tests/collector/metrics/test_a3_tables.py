"""A3's Tables 3 and 6, rebuilt from lists of episodes; each cell that no integer count gives is named here.

The paper has 35 easy, 40 medium and 25 hard tasks, 72 operations and 28 information queries, and 309
essential states: 85, 128 and 96 by level, 218 and 91 by category, which only its percentages tell.
"""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from collector.metrics.episode_columns import EpisodeColumns, TaskFacts
from collector.metrics.measure import Counting
from collector.metrics.papers.a3 import a3_tables
from collector.metrics.statistics.rank_agreement import rank_agreement
from collector.model.task import INFORMATION_RETRIEVAL, OPERATION, Task
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes
from tests.helpers.published import counts_that_give, decimals_of, numbers_of, printed

LEVELS = ("easy", "medium", "hard")
CATEGORIES = (OPERATION, INFORMATION_RETRIEVAL)
COLUMNS = (*LEVELS, *CATEGORIES, "overall")
TASKS = dict(zip(COLUMNS, (35, 40, 25, 72, 28, 100), strict=True))
STATES = dict(zip(COLUMNS, (85, 128, 96, 218, 91, 309), strict=True))
DENOMINATORS = {"SR": TASKS, "ESAR": STATES}
TABLE_3 = {
    "UI-TARS-1.5": ("20.0 10.0 4.0 13.9 7.1 12", "35.3 21.8 23.9 31.2 20.9 28.2"),
    "UI-Venus": ("28.5 15.0 16.0 20.8 17.8 20", "41.2 29.7 27.1 33.9 27.5 32.0"),
    "UI-Genie": ("25.8 10.0 0.0 16.7 3.6 13", "41.2 25.8 32.3 34.9 25.3 32.1"),
    "InfiGUI-R1": ("34.3 30.0 12.0 34.7 7.1 27", "55.3 50.8 51.0 54.6 46.2 52.1"),
    "GUI-OWL": ("31.4 7.5 0.0 18.1 3.6 14", "49.4 26.6 23.9 35.8 23.1 32.0"),
    "Qwen2.5-VL": ("5.7 0.0 4.0 4.2 0.0 3", "10.5 10.9 21.8 15.6 11.0 14.2"),
    "Qwen3-VL": ("34.3 12.5 0.0 20.8 7.1 17", "50.6 35.2 31.3 44.0 24.2 38.2"),
    "Mobile-Use + Qwen2.5-VL": ("34.3 10.0 0.0 22.2 0.0 16", "48.2 39.9 31.3 43.1 30.8 39.5"),
    "T3A + Qwen2.5-VL": ("31.4 10.0 4.0 19.4 3.8 15", "37.6 28.1 28.1 29.4 34.1 30.7"),
    "T3A + Gemini-2.5-pro": ("57.1 55.0 44.0 55.6 46.6 53", "68.2 67.9 62.5 72.9 50.5 66.4"),
}
TABLE_6 = {
    "UI-TARS-1.5": ("14.3 5.0 4.0 9.7 3.5 8", "29.4 17.2 9.3 20.2 13.2 18.1"),
    "UI-Venus": ("31.4 17.5 12.0 22.2 17.8 21", "47.1 27.3 31.2 36.2 28.6 34.0"),
    "UI-Genie": ("28.6 15.0 0.0 20.8 3.6 16", "47.1 28.1 31.3 37.2 27.5 34.3"),
    "InfiGUI-R1": ("40.0 32.5 8.0 36.1 10.7 29", "58.8 53.1 52.1 56.4 49.5 54.4"),
    "GUI-OWL": ("25.7 5.0 4.0 15.3 3.6 12", "51.7 27.3 21.8 36.2 23.1 32.4"),
    "Qwen2.5-VL": ("8.6 2.5 4.0 6.9 0.0 5", "25.9 14.8 26.0 22.0 19.8 21.4"),
    "Qwen3-VL": ("40.0 17.5 8.0 25.0 17.9 23", "55.3 40.6 36.5 50.5 37.4 46.7"),
    "Mobile-Use + Qwen2.5-VL": ("34.3 15.0 4.0 25.0 3.6 19", "47.1 43.0 30.2 43.1 33.0 40.1"),
    "T3A + Qwen2.5-VL": ("40.0 17.5 12.0 26.4 17.9 24", "44.7 32.8 31.3 32.1 43.9 35.6"),
    "T3A + Gemini-2.5-pro": ("62.8 57.5 52.0 62.5 46.4 58", "71.76 70.3 65.6 76.6 51.6 69.3"),
}
TABLES = {"3": TABLE_3, "6": TABLE_6}
Cell = tuple[str, str, str, str]
"""Table, agent, metric, column."""

TRUNCATED: dict[Cell, int] = {
    # A count gives the printed digits when the rest is cut off; it is not rounded.
    ("3", "UI-TARS-1.5", "ESAR", "medium"): 28,
    ("3", "UI-TARS-1.5", "ESAR", "hard"): 23,
    ("3", "UI-Venus", "SR", "easy"): 10,
    ("3", "UI-Venus", "SR", INFORMATION_RETRIEVAL): 5,
    ("3", "GUI-OWL", "ESAR", "hard"): 23,
    ("3", "Qwen2.5-VL", "ESAR", "easy"): 9,
    ("3", "Qwen2.5-VL", "ESAR", "hard"): 21,
    ("3", "T3A + Gemini-2.5-pro", "ESAR", "medium"): 87,
    ("6", "UI-TARS-1.5", "SR", INFORMATION_RETRIEVAL): 1,
    ("6", "UI-TARS-1.5", "ESAR", "hard"): 9,
    ("6", "UI-Venus", "SR", INFORMATION_RETRIEVAL): 5,
    ("6", "UI-Venus", "ESAR", "hard"): 30,
    ("6", "GUI-OWL", "ESAR", "easy"): 44,
    ("6", "GUI-OWL", "ESAR", "hard"): 21,
    ("6", "T3A + Qwen2.5-VL", "ESAR", INFORMATION_RETRIEVAL): 40,
    ("6", "T3A + Gemini-2.5-pro", "SR", "easy"): 22,
}
NO_COUNT: dict[Cell, int] = {
    # No count gives the printed digits, rounded or cut; the value is the one that the other cells leave.
    ("3", "UI-Genie", "SR", "easy"): 9,
    ("3", "UI-Genie", "ESAR", "overall"): 99,
    ("3", "Mobile-Use + Qwen2.5-VL", "ESAR", "medium"): 51,
    ("3", "T3A + Qwen2.5-VL", "SR", INFORMATION_RETRIEVAL): 1,
    ("3", "T3A + Gemini-2.5-pro", "SR", INFORMATION_RETRIEVAL): 13,
    ("3", "T3A + Gemini-2.5-pro", "ESAR", "overall"): 205,
    ("6", "Qwen3-VL", "ESAR", "overall"): 144,
}
NO_SUM: dict[Cell, int] = {
    # A count gives the digits, but then the levels of the row do not add up to its categories and overall.
    # The value is the one that the other cells leave.
    ("3", "UI-TARS-1.5", "ESAR", "medium"): 34,
    ("3", "T3A + Qwen2.5-VL", "SR", "easy"): 10,
    ("6", "Qwen3-VL", "ESAR", "medium"): 62,
}
MISFITS = {**TRUNCATED, **NO_COUNT, **NO_SUM}

# How the tasks and states of a level are shared by both categories; the paper does not say it.
TASKS_OF = dict(zip(product(LEVELS, CATEGORIES), (25, 10, 29, 11, 18, 7), strict=True))
STATES_OF = dict(zip(product(LEVELS, CATEGORIES), (60, 25, 91, 37, 67, 29), strict=True))


def cells() -> dict[Cell, str]:
    return {
        (table, agent, metric, column): cell
        for table, rows in TABLES.items()
        for agent, both in rows.items()
        for metric, row in zip(("SR", "ESAR"), both, strict=True)
        for column, cell in zip(COLUMNS, row.split(), strict=True)
    }


def denominator(cell: Cell) -> int:
    return DENOMINATORS[cell[2]][cell[3]]


def row_of(counts: dict[Cell, int], table: str, agent: str, metric: str) -> dict[str, int]:
    return {column: counts[table, agent, metric, column] for column in COLUMNS}


def all_counts(misfits: dict[Cell, int]) -> dict[Cell, int]:
    """The numerator of each cell: that of ``misfits``, else the one that gives its digits."""
    return {
        cell: misfits[cell] if cell in misfits else counts_that_give(text, denominator(cell))[0]
        for cell, text in cells().items()
    }


def adds_up(row: dict[str, int]) -> bool:
    return sum(row[level] for level in LEVELS) == sum(row[name] for name in CATEGORIES) == row["overall"]


def test_each_cell_that_no_count_gives_is_named() -> None:
    giving = {cell: counts_that_give(text, denominator(cell)) for cell, text in cells().items()}
    assert {cell for cell, counts in giving.items() if not counts} == {*TRUNCATED, *NO_COUNT}
    assert all(len(counts) == 1 for counts in giving.values() if counts)


def test_a_cell_is_called_truncated_when_its_digits_are_cut_off() -> None:
    own = cells()
    for cell in (*TRUNCATED, *NO_COUNT):
        scale = 10 ** decimals_of(own[cell])
        digits, count = round(float(own[cell]) * scale), denominator(cell)
        cut = [hits for hits in range(count + 1) if hits * 100 * scale // count == digits]
        assert cut == ([TRUNCATED[cell]] if cell in TRUNCATED else []), cell


def test_each_row_whose_counts_do_not_add_up_is_named() -> None:
    for misfits, named in (
        ({**TRUNCATED, **NO_COUNT}, {cell[:3] for cell in NO_SUM}),
        (MISFITS, set()),
    ):
        counts = all_counts(misfits)
        rows = dict.fromkeys(cell[:3] for cell in counts)
        assert {row for row in rows if not adds_up(row_of(counts, *row))} == named


def test_no_other_numbers_of_states_leave_fewer_cells_without_a_count() -> None:
    own = [(cell[3], text) for cell, text in cells().items() if cell[2] == "ESAR"]
    missing = {
        column: [sum(not counts_that_give(text, count) for name, text in own if name == column)
                 for count in range(1, 309)]
        for column in COLUMNS
    }  # fmt: skip

    def without(split: tuple[int, ...], columns: tuple[str, ...]) -> int:
        return sum(missing[column][count - 1] for column, count in zip(columns, split, strict=True))

    levels = [
        (easy, medium, 309 - easy - medium) for easy in range(1, 307) for medium in range(1, 308 - easy)
    ]
    fewest = min(levels, key=lambda split: without(split, LEVELS))
    assert fewest == tuple(STATES[level] for level in LEVELS)
    halves = [(operation, 309 - operation) for operation in range(1, 309)]
    assert min(halves, key=lambda split: without(split, CATEGORIES)) == tuple(
        STATES[name] for name in CATEGORIES
    )


Parts = dict[tuple[str, str], int]
"""By level and category."""


def shared_out(row: dict[str, int], low: Parts, high: Parts) -> Parts | None:
    """Whole numbers between ``low`` and ``high`` with the sums of ``row``; None where there are none."""
    operation, query = CATEGORIES
    least = {level: max(low[level, operation], row[level] - high[level, query]) for level in LEVELS}
    most = {level: min(high[level, operation], row[level] - low[level, query]) for level in LEVELS}
    left = row[operation] - sum(least.values())
    if left < 0 or any(least[level] > most[level] for level in LEVELS):
        return None
    parts = {}
    for level in LEVELS:
        more = min(left, most[level] - least[level])
        left -= more
        parts[level, operation] = least[level] + more
        parts[level, query] = row[level] - parts[level, operation]
    return parts if left == 0 else None


def sizes_of(level: str, category: str) -> list[int]:
    """How many states each task of a cell has, small tasks first."""
    tasks, states = TASKS_OF[level, category], STATES_OF[level, category]
    small = [1 if level == "easy" else 2] * (tasks // 2)
    rest = tasks - len(small)
    whole, more = divmod(states - sum(small), rest)
    return [*small, *[whole] * (rest - more), *[whole + 1] * more]


SIZES = {cell: sizes_of(*cell) for cell in TASKS_OF}
DEFINITIONS = {
    f"{level} {category} {number}": TaskFacts(Task("", "", level=level, category=category))
    for (level, category), tasks in TASKS_OF.items()
    for number in range(tasks)
}


def episodes_of(table: str, agent: str) -> list[tuple[EpisodeFacts, tuple[int, int]]]:
    """Each episode with its states, reached and judged; one succeeds when it reaches all of them."""
    counts = all_counts(MISFITS)
    successes = shared_out(row_of(counts, table, agent, "SR"), dict.fromkeys(TASKS_OF, 0), TASKS_OF)
    assert successes is not None
    least = {cell: sum(SIZES[cell][: successes[cell]]) for cell in TASKS_OF}
    most = {cell: least[cell] + sum(size - 1 for size in SIZES[cell][successes[cell] :]) for cell in TASKS_OF}
    reached = shared_out(row_of(counts, table, agent, "ESAR"), least, most)
    assert reached is not None, (table, agent)
    episodes = []
    for (level, category), sizes in SIZES.items():
        left = reached[level, category] - least[level, category]
        for number, size in enumerate(sizes):
            succeeds = number < successes[level, category]
            own = size if succeeds else min(size - 1, left)
            left -= 0 if succeeds else own
            facts = EpisodeFacts(
                f"{level} {category} {number}", agent=agent, is_finished=1,
                outcome="success" if succeeds else "failure",
            )  # fmt: skip
            episodes.append((facts, (own, size)))
        assert left == 0
    return episodes


def columns_of(table: str) -> EpisodeColumns:
    episodes = [episode for agent in TABLES[table] for episode in episodes_of(table, agent)]
    return columns_of_episodes(
        [facts for facts, _states in episodes], DEFINITIONS, states=[states for _facts, states in episodes]
    )


@pytest.mark.parametrize("table", TABLES)
def test_the_table_is_rebuilt(table: str) -> None:
    (view,) = a3_tables(columns_of(table))
    assert [column.title for column in view.columns] == [
        "Easy", "Medium", "Hard", "Operation", "Inf. Query", "Overall",
    ]  # fmt: skip
    numbers = numbers_of(view)
    assert {row.labels[-1]: row.cells[0].counting for row in view.rows} == {
        "SR": Counting.EPISODES, "ESAR": Counting.STATES,
    }  # fmt: skip
    assert list(numbers) == [
        (agent, metric) for agent in sorted(TABLES[table], key=str.casefold) for metric in DENOMINATORS
    ]
    counts = all_counts(MISFITS)
    for cell, text in cells().items():
        if cell[0] == table:
            number = numbers[cell[1], cell[2]][cell[3]]
            assert (number.hits, number.count) == (counts[cell], denominator(cell))
            assert (printed(number, text) == text) == (cell not in MISFITS), cell


def test_both_judges_rank_the_agents_much_alike_but_not_the_same() -> None:
    """The paper: rankings "remain largely consistent"; the best two and the worst stay, the middle moves."""
    rates = {}
    for table in TABLES:
        numbers = numbers_of(a3_tables(columns_of(table))[0])
        rates[table] = {agent: numbers[agent, "SR"]["overall"].value or 0.0 for agent in TABLES[table]}
    agents = list(rates["3"])
    agreement = rank_agreement(*(np.array([own[agent] for agent in agents]) for own in rates.values()))
    assert agreement.count == 10
    assert 0.7 < (agreement.kendall or 0) < 1
    orders = [sorted(agents, key=own.__getitem__) for own in rates.values()]
    assert orders[0][-2:] == orders[1][-2:] == ["InfiGUI-R1", "T3A + Gemini-2.5-pro"]
    assert orders[0][0] == orders[1][0] == "Qwen2.5-VL"
