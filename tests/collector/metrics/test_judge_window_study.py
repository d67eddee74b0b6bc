"""Which window and interval a study marks: by the numbers of A3's Table 5."""

from __future__ import annotations

from pathlib import Path

from collector.metrics.judge_studies.windows import (
    A3_PAIRS,
    WindowResult,
    WindowSetting,
    best_of,
    cheapest_near,
    window_settings,
    window_table,
)
from collector.metrics.report import CountedSubject
from collector.model.verdicts.judgement import MISSED, REACHED, STATE, SUCCESS, TASK, UNDECIDED
from collector.model.verdicts.voted_subject import PEOPLE

TABLE_5 = {
    (2, 1): (94, 91, 0.196), (2, 2): (88, 86, 0.099), (3, 1): (95, 91, 0.195), (3, 2): (94, 90, 0.098),
    (4, 2): (95, 91, 0.098), (4, 3): (95, 90, 0.071), (5, 2): (93, 89, 0.097), (5, 3): (92, 89, 0.069),
    (6, 3): (91, 88, 0.070), (6, 4): (89, 87, 0.050),
}  # fmt: skip


def subjects(kind: str, right: int) -> list[CountedSubject]:
    """100 subjects of which the judge is right on ``right`` alone."""
    yes, state = (REACHED, "s0") if kind == STATE else (SUCCESS, "")
    return [
        CountedSubject(Path("p"), "t", state, {"gemini": yes if number < right else UNDECIDED, PEOPLE: yes})
        for number in range(100)
    ]


def results() -> list[WindowResult]:
    return [
        WindowResult(
            WindowSetting("gemini", *pair), 10, usd, 30,
            subjects=[*subjects(STATE, states), *subjects(TASK, tasks)],
        )
        for pair, (states, tasks, usd) in TABLE_5.items()
    ]  # fmt: skip


def test_an_undecided_verdict_is_not_right_and_each_number_names_what_it_counts() -> None:
    found = [
        CountedSubject(Path("p"), "t", "s0", {"gemini": UNDECIDED, PEOPLE: MISSED}),
        CountedSubject(Path("p"), "t", "s1", {"gemini": MISSED, PEOPLE: MISSED}),
        CountedSubject(Path("p"), "t", "", {"gemini": SUCCESS, PEOPLE: SUCCESS}),
    ]
    result = WindowResult(WindowSetting("gemini", 2, 1), subjects=found)
    (row,) = window_table([result]).rows
    states, tasks = row.cells[:2]
    assert (states.hits, states.count, tasks.hits, tasks.count) == (1, 2, 1, 1)
    counted = (states.behind, states.positive, tasks.behind)
    assert [found.tolist() for found in counted if found is not None] == [[0, 1], [1], [2]]


def test_the_best_window_is_the_papers_and_a_cheaper_one_is_within_a_point() -> None:
    found = results()
    best = best_of(found)
    assert best is not None
    assert (best.setting.window, best.setting.interval) == (4, 2)
    near = cheapest_near(found, best).setting
    assert (near.window, near.interval) == (4, 3)
    marks = {row.labels[1:3]: row.labels[3] for row in window_table(found).rows}
    assert marks[("4", "2")] == "best"
    assert marks[("4", "3")] == "cheapest within one point"
    assert set(marks.values()) == {"best", "cheapest within one point", "-"}
    assert window_table([]).rows == ()


def test_a_price_that_nobody_knows_is_not_the_cheapest() -> None:
    first, second, *_others = results()
    first.usd, first.calls, second.subjects = None, 1, first.subjects
    assert best_of([first, second]) is second
    assert cheapest_near([first, second], second) is second


def test_a_setting_that_failed_on_trajectories_is_neither_the_best_nor_the_cheapest() -> None:
    whole, part, *_others = results()
    part.trajectories, part.usd = 1, 0.001
    part.subjects = [*subjects(STATE, 100), *subjects(TASK, 100)]
    assert best_of([whole, part]) is whole
    assert cheapest_near([whole, part], whole) is whole


def test_pairs_are_a3s_unless_windows_or_intervals_are_given() -> None:
    def pairs(*given: tuple[int, ...]) -> list[tuple[int, int]]:
        return [(setting.window, setting.interval) for setting in window_settings(["a"], *given)]

    assert pairs() == list(TABLE_5) == list(A3_PAIRS)
    assert pairs((2, 8)) == [(2, 1), (2, 2), (8, 4)]
    assert pairs((2, 3), (1, 3)) == [(2, 1), (3, 1), (3, 3)]
    assert len(window_settings(["a", "b"])) == 2 * len(A3_PAIRS)
