"""Two selections are paired, their boxes counted, and their difference said in a sentence."""

from __future__ import annotations

import re
from random import Random

import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.comparison import PairBox, PairedComparison, compare
from collector.metrics.comparison_summary import summary_of
from collector.metrics.episode_columns import EpisodeColumns
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes, compare_with_baselines

BOXES = (
    (PairBox.BOTH, 96),
    (PairBox.ONLY_FIRST, 52),
    (PairBox.ONLY_SECOND, 6),
    (PairBox.NEITHER, 62),
)


def episode(task: str, outcome: bool, **facts: object) -> EpisodeFacts:
    values = {"agent": "UI-TARS 7B", "is_finished": 1, "seed": 123, **facts}
    return EpisodeFacts(task, outcome="success" if outcome else "failure", **values)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def drawn() -> EpisodeColumns:
    """The episodes of the mockup: 72 tasks with 3 seeds, without an anomaly and with a low battery."""
    episodes = []
    boxes = [box for box, count in BOXES for _ in range(count)]
    Random(1).shuffle(boxes)
    for number, box in enumerate(boxes):
        task, seed = f"task-{number % 72}", number // 72
        episodes.append(episode(task, box in (PairBox.BOTH, PairBox.ONLY_FIRST), seed=seed))
        episodes.append(
            episode(task, box in (PairBox.BOTH, PairBox.ONLY_SECOND), seed=seed, condition="Low battery")
        )
    return columns_of_episodes(episodes)


@pytest.fixture(scope="module")
def comparison(drawn: EpisodeColumns) -> PairedComparison:
    return compare_with_baselines(drawn, by=[DIMENSIONS["seed"]])


def test_the_mockup_is_counted_as_it_is_drawn(comparison: PairedComparison) -> None:
    numbers = comparison.all_pairs
    assert tuple(numbers.boxes.items()) == BOXES
    assert numbers.tasks == 72
    summary = summary_of(comparison)
    assert summary.headline == "Low battery costs UI-TARS 7B 21.3 points"
    match = re.fullmatch(
        r"95 % interval (\d+\.\d) to (\d+\.\d); exact McNemar p < 0\.001; 216 pairs, same task and seed",
        summary.details,
    )
    assert match
    assert float(match[1]) == pytest.approx(15.0, abs=1.5)
    assert float(match[2]) == pytest.approx(27.6, abs=1.5)
    assert summary.cautions == ()
    assert summary.notes == ("0 episodes ended by a fault of the machine; they are in no denominator.",)


def test_a_breakdown_divides_the_pairs_and_each_box_opens_its_pairs(comparison: PairedComparison) -> None:
    assert [row.labels for row in comparison.rows] == [("0",), ("1",), ("2",)]
    assert [row.count for row in comparison.rows] == [72, 72, 72]
    for box, count in BOXES:
        assert sum(row.boxes[box] for row in comparison.rows) == count
        first, second = comparison.episodes_in(comparison.all_pairs, box)
        assert len(first) == len(second) == count
        assert not comparison.table.interrupted[first].any()
        assert comparison.table.interrupted[second].all()
        for name in ("task", "seed"):
            assert (comparison.table.column(name)[first] == comparison.table.column(name)[second]).all()


def test_a_filter_on_the_condition_leaves_the_baselines_to_the_pairs(drawn: EpisodeColumns) -> None:
    only_interrupted = drawn.where(drawn.interrupted)
    assert compare_with_baselines(only_interrupted).all_pairs.boxes == dict(BOXES)


def test_two_agents_pair_under_the_same_condition() -> None:
    table = columns_of_episodes(
        [
            episode(f"task-{task}", outcome, agent=agent, condition=condition)
            for agent, outcome in (("a", True), ("b", False))
            for task in range(6)
            for condition in ("", "low", "wifi")
        ]
    )
    agents = table.column("agent")
    result = compare(table, agents == table.code("a"), agents == table.code("b"), names=("a", "b"))
    assert result.all_pairs.boxes[PairBox.ONLY_FIRST] == result.all_pairs.count == 18
    conditions = table.column("condition")
    assert (conditions[result.first] == conditions[result.second]).all()
    assert not result.is_interruption
    assert result.unit == "task and condition"
    assert summary_of(result).headline == "b is 100.0 points below a"
