"""Essential states counted by hand: summed over episodes for ESAR, averaged over episodes for progress."""

from __future__ import annotations

from collector.metrics.measure import Counting
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import pivot
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes


def episode(task: str, outcome: str, **facts: int) -> EpisodeFacts:
    return EpisodeFacts(task, agent="g", outcome=outcome, **{"is_finished": 1, **facts})  # type: ignore[arg-type]


EPISODES = (
    episode("a", "success"), episode("b", "failure"), episode("c", "uncompleted"),
    episode("d", "failure"), episode("e", "", is_fault=1), episode("f", "failure", by_person=2),
    episode("g", ""),
)  # fmt: skip
STATES = ((4, 4), (1, 2), (0, 3), (0, 0), (1, 5), (1, 5), (2, 3))


def test_states_are_summed_over_the_episodes_that_ended() -> None:
    result = pivot(columns_of_episodes(EPISODES, states=STATES), [], [MEASURES["esar"]])
    cell = result.cell(0, 0)
    # d was not judged, e ended by a fault and f was helped; g is judged on its states, though not as a whole.
    assert (cell.hits, cell.count) == (4 + 1 + 0 + 2, 4 + 2 + 3 + 3)
    assert result.columns[0].counting is Counting.STATES
    assert result.cell(0, 0).behind.tolist() == [0, 1, 2, 6]
    assert result.cell(0, 0).positive.tolist() == [0, 1, 6]
    assert cell.low is not None
    assert cell.high is not None
    assert 0 < cell.low < 7 / 12 < cell.high < 1


def test_partial_progress_is_the_mean_of_the_episodes_without_success() -> None:
    cell = pivot(columns_of_episodes(EPISODES, states=STATES), [], [MEASURES["progress"]]).cell(0, 0)
    assert (cell.value, cell.count) == ((1 / 2 + 0) / 2, 2)


def test_nothing_judged_is_no_number() -> None:
    cell = pivot(columns_of_episodes(EPISODES), [], [MEASURES["esar"]]).cell(0, 0)
    assert (cell.value, cell.count, cell.hits) == (None, 0, 0)
