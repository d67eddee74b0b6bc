"""What is paired and what is not, and the sentences that say so."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from collector.metrics.comparison import PairBox, PairedComparison, compare
from collector.metrics.comparison_summary import p_text, summary_of
from collector.metrics.episode_columns import EpisodeColumns
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes, compare_with_baselines

NO_FAULTS = "0 episodes ended by a fault of the machine; they are in no denominator."


def episode(task: str, succeeds: bool, agent: str = "a", **facts: object) -> EpisodeFacts:
    outcome = "success" if succeeds else "failure"
    return EpisodeFacts(task, agent=agent, outcome=outcome, is_finished=1, **facts)  # type: ignore[arg-type]


def agents(episodes: Sequence[EpisodeFacts]) -> PairedComparison:
    """Agent a against agent b."""
    table = columns_of_episodes(episodes)
    return compare(table, of_agent(table, "a"), of_agent(table, "b"), names=("a", "b"))


def of_agent(table: EpisodeColumns, name: str) -> np.ndarray:
    return np.asarray(table.column("agent") == table.code(name))


def pairs(boxes: dict[PairBox, int], tasks: int) -> list[EpisodeFacts]:
    """Pairs of agent a and b, dealt out to tasks in turn."""
    dealt = [box for box, count in boxes.items() for _pair in range(count)]
    return [
        episode(f"task-{number % tasks}", box in (PairBox.BOTH, only), agent, seed=number)
        for number, box in enumerate(dealt)
        for agent, only in (("a", PairBox.ONLY_FIRST), ("b", PairBox.ONLY_SECOND))
    ]


def test_too_few_pairs_say_how_many_would_do() -> None:
    result = agents(pairs({PairBox.BOTH: 26, PairBox.ONLY_FIRST: 9, PairBox.ONLY_SECOND: 5}, 20))
    (caution,) = summary_of(result).cautions
    assert caution == (
        "40 pairs are too few to tell this from chance; about 273 pairs would do if it is real."
    )
    assert summary_of(result).headline == "b is 10.0 points below a"


def test_no_difference_is_no_proof_and_few_tasks_are_said() -> None:
    result = agents(pairs({PairBox.BOTH: 3, PairBox.ONLY_FIRST: 1, PairBox.ONLY_SECOND: 1}, 5))
    assert summary_of(result).headline == "a and b succeed equally often"
    assert summary_of(result).cautions == (
        "5 pairs show no difference; that is no proof that there is none.",
        "The pairs are of only 5 tasks; the interval from so few is too narrow.",
    )


def test_tasks_that_all_agree_leave_a_bootstrap_without_an_interval() -> None:
    result = agents(pairs({PairBox.ONLY_SECOND: 24}, 12))
    assert result.all_pairs.interval is None
    summary = summary_of(result)
    assert summary.headline == "b is 100.0 points above a"
    assert summary.details == "exact McNemar p < 0.001; 24 pairs, same task and seed"
    assert summary.cautions == (
        "All tasks show the same difference, so a bootstrap by task has no interval.",
    )


def test_a_difference_of_one_task_alone_is_cautioned_whatever_p_is() -> None:
    episodes = [
        episode(f"task-{task}", agent == "a" or task > 0, agent, seed=seed)
        for agent in "ab"
        for task in range(12)
        for seed in range(12)
    ]
    result = agents(episodes)
    assert result.all_pairs.p_value is not None
    assert result.all_pairs.p_value < 0.001
    assert summary_of(result).cautions == (
        "p is small but the interval includes 0: few tasks make the difference, so try more tasks.",
    )


def test_different_tasks_are_not_paired_but_both_rates_are_said() -> None:
    result = agents([episode("x", True), episode("y", False), episode("z", False, "b")])
    assert result.all_pairs.count == 0
    assert result.all_pairs.difference is result.all_pairs.p_value is result.all_pairs.interval is None
    summary = summary_of(result)
    assert summary.headline == "a and b have no pair of episodes to compare"
    assert summary.details == "Not paired: a 50.0 % of 2, b 0.0 % of 1"
    assert summary.notes == (
        "2 judged episodes of a have no counterpart.", "1 judged episode of b has no counterpart.", NO_FAULTS,
    )  # fmt: skip


def test_other_seeds_pair_by_task_in_their_order() -> None:
    result = agents(
        [episode("x", seed == 2, seed=seed) for seed in (1, 2)]
        + [episode("x", seed == 8, "b", seed=seed) for seed in (7, 8, 9)]
    )
    seeds = result.table.column("seed")
    assert list(zip(seeds[result.first], seeds[result.second], strict=True)) == [(1, 7), (2, 8)]
    assert result.unit == "task"
    assert seeds[result.second_alone].tolist() == [9]
    assert summary_of(result).cautions[0] == (
        "The selections differ in agent and seed: each of these may make the difference."
    )
    shared = agents([episode("x", True, agent, model=agent, seed=1) for agent in "ab"])
    assert not any("differ in" in sentence for sentence in summary_of(shared).cautions)


def test_the_same_experiment_is_paired_before_another() -> None:
    result = agents(
        [episode("x", True, agent, experiment=name) for agent in "ab" for name in ("e1", "e2")]
        + [episode("x", True, "b", experiment="e3")]
    )
    experiments = result.table.column("experiment")
    assert (experiments[result.first] == experiments[result.second]).all()
    assert len(result.first) == 2
    assert result.table.texts[experiments[result.second_alone[0]]] == "e3"


def test_what_a_fault_ended_is_in_no_pair_and_is_said() -> None:
    result = agents([episode("x", True), episode("x", True, "b", is_fault=1), episode("y", True, "b")])
    assert result.all_pairs.count == 0
    assert summary_of(result).notes[-1].startswith("1 episode ended by a fault")


def test_an_episode_in_both_selections_is_compared_with_nothing() -> None:
    table = columns_of_episodes([episode("x", True), episode("x", False, "b"), episode("y", True)])
    everything = np.ones(3, bool)
    result = compare(table, everything, of_agent(table, "b"), names=("all", "b"))
    assert result.in_both.tolist() == [1]
    assert result.all_pairs.count == 0
    assert summary_of(result).notes[0] == "2 judged episodes of all have no counterpart."
    assert summary_of(result).notes[1] == "1 episode is in both selections and is left out."


def test_a_filter_says_nothing_of_baselines_that_it_leaves_out() -> None:
    table = columns_of_episodes(
        [episode(task, True, agent, condition=condition)
         for task in "xy" for agent in "ab" for condition in ("", "low")]
    )  # fmt: skip
    result = compare_with_baselines(table.where(of_agent(table, "a") & table.interrupted))
    assert result.all_pairs.count == 2
    assert (result.whole.first_count, result.whole.second_count) == (2, 2)
    summary = summary_of(result)
    assert summary.headline == "low costs a nothing: success is the same with and without it"
    assert summary.notes == (NO_FAULTS,)


def test_models_are_named_only_where_they_do_not_follow_from_the_agent() -> None:
    def unit(models: str) -> str:
        table = columns_of_episodes(
            [
                episode("x", True, agent, variation=variation, model=model)
                for agent, model in zip("abab", models, strict=True)
                for variation in ("light", "dark")
            ]
        )  # fmt: skip
        dark = np.asarray(table.column("variation") == table.code("dark"))
        return compare(table, ~dark, dark).unit

    assert unit("mnmn") == "task and agent"
    assert unit("mmnn") == "task, agent and model"


@pytest.mark.parametrize(
    ("value", "text"),
    [(1.0, "p = 1.000"), (0.0304, "p = 0.030"), (0.001, "p = 0.001"), (0.0009, "p < 0.001")],
)
def test_p_values_are_written_as_papers_write_them(value: float, text: str) -> None:
    assert p_text(value) == text
