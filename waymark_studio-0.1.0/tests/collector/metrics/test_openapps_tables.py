"""What OpenApps prints, rebuilt from lists of episodes: the range of success, loops, the wrong app.

The text at hand has single numbers, no table: 15 tasks in 8 variations with 3 seeds each; Kimi-VL-3B succeeds
in 63 % of one variation and in 4 % of another; an episode with a loop fails 7.5 times as often; Qwen2.5-VL
goes to the wrong app in 3 % of the default app's episodes and in 45 % under adversarial descriptions.
"""

from __future__ import annotations

import pytest

from collector.metrics.episode_columns import TaskFacts
from collector.metrics.papers.openapps import openapps_tables
from collector.metrics.report import ReportTable
from collector.model.task import Task
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes
from tests.helpers.published import counts_that_give, numbers_of, printed

TASKS, SEEDS = 15, 5
PRINTED = ("63", "4", "3", "45")
KIMI, QWEN, LOOPING = "Kimi-VL-3B", "Qwen2.5-VL", "loops"
SUCCESSES = {
    "default": 47, "dark_theme": 45, "black_and_white": 44, "challenging_font": 40, "german": 18,
    "long_descriptions": 30, "misleading_descriptions": 21, "adversarial_descriptions": 3,
}  # fmt: skip
"""Of 75 episodes a variation. The paper prints only the highest and the lowest."""
WRONG_APP = {"default": 2, "adversarial_descriptions": 34}
DEFINITIONS = {f"t{at:02}": TaskFacts(Task(f"t{at:02}", "", package="todo")) for at in range(TASKS)}


def kimi() -> list[EpisodeFacts]:
    return [
        EpisodeFacts(f"t{at % TASKS:02}", agent=KIMI, variation=variation, seed=at // TASKS, is_finished=1,
                     outcome="success" if at < successes else "failure", package="todo")
        for variation, successes in SUCCESSES.items()
        for at in range(TASKS * SEEDS)
    ]  # fmt: skip


def qwen() -> list[EpisodeFacts]:
    return [
        EpisodeFacts(f"t{at % TASKS:02}", agent=QWEN, variation=variation, seed=at // TASKS, is_finished=1,
                     outcome="failure", package="maps" if at < wrong else "todo")
        for variation, wrong in WRONG_APP.items()
        for at in range(TASKS * SEEDS)
    ]  # fmt: skip


def with_loops() -> list[EpisodeFacts]:
    """15 of 20 episodes with a loop fail, and 5 of 50 without one."""
    kinds = [(20, "failure")] * 15 + [(3, "success")] * 5 + [(1, "failure")] * 5 + [(2, "success")] * 45
    return [
        EpisodeFacts("t00", agent=LOOPING, variation="default", seed=at, is_finished=1, outcome=outcome,
                     loop_length=length, steps=20)
        for at, (length, outcome) in enumerate(kinds)
    ]  # fmt: skip


@pytest.fixture(scope="module")
def tables() -> dict[str, ReportTable]:
    columns = columns_of_episodes([*kimi(), *qwen(), *with_loops()], DEFINITIONS)
    return {table.id: table for table in openapps_tables(columns)}


def test_three_seeds_give_only_one_of_the_printed_rates_and_five_give_all() -> None:
    assert [cell for cell in PRINTED if not counts_that_give(cell, TASKS * 3)] == ["63", "3", "45"]
    assert [counts_that_give(cell, TASKS * SEEDS) for cell in PRINTED] == [[47], [3], [2], [34]]
    assert not all(counts_that_give(cell, TASKS * 4) for cell in PRINTED)


def test_success_by_variation_has_the_printed_ends(tables: dict[str, ReportTable]) -> None:
    row = numbers_of(tables["openapps-rewards"])[KIMI,]
    assert (printed(row["sr-default"], "63"), printed(row["sr-adversarial_descriptions"], "4")) == ("63", "4")
    spread = numbers_of(tables["openapps-spread"])[KIMI,]
    assert (spread["across-max"].value, spread["across-min"].value) == (47 / 75, 3 / 75)
    # "fluctuate by over 50 %", and much more across variations than within one.
    assert (spread["across-max"].value or 0) - (spread["across-min"].value or 0) > 0.5
    assert spread["across-std"].count == spread["within-std"].count == len(SUCCESSES)


def test_a_loop_makes_failure_7_5_times_as_likely(tables: dict[str, ReportTable]) -> None:
    number = numbers_of(tables["openapps-behaviour"])[LOOPING, "default"]["loop-risk"]
    assert number.value == pytest.approx(7.5, abs=1e-12)
    assert number.count == 70


def test_adversarial_descriptions_lead_to_the_wrong_app(tables: dict[str, ReportTable]) -> None:
    numbers = numbers_of(tables["openapps-behaviour"])
    for variation, cell in (("default", "3"), ("adversarial_descriptions", "45")):
        assert printed(numbers[QWEN, variation]["wrong-app"], cell) == cell
