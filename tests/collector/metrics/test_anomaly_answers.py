"""The answers given to each anomaly, counted by hand: an episode may meet an anomaly more than once."""

from __future__ import annotations

from collector.metrics.anomaly_answers import anomaly_answers
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.store.catalogue.catalogue_row import listed
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes


def episode(agent: str, *answers: str, is_fault: int = 0) -> EpisodeFacts:
    return EpisodeFacts("a", agent=agent, is_finished=1, is_fault=is_fault, answers=listed([*answers]))


EPISODES = (
    episode("g", "low=accept", "low=deny"), episode("g", "low="), episode("g", "wifi=deny"), episode("g"),
    episode("h", "low=accept"), episode("h", "low=accept", is_fault=1),
)  # fmt: skip


def test_each_answer_is_a_share_of_the_appearances() -> None:
    table = anomaly_answers(columns_of_episodes(EPISODES), [DIMENSIONS["agent"]])
    assert [column.id for column in table.columns] == ["appeared", "accept", "deny", "none"]
    assert [row.labels for row in table.rows] == [("g", "low"), ("g", "wifi"), ("h", "low")]
    numbers = [[cell.value for cell in row.cells] for row in table.rows]
    assert numbers == [[3, 1 / 3, 1 / 3, 1 / 3], [1, 0, 1, 0], [1, 1, 0, 0]]
    low = table.rows[0].cells
    assert [None if cell.behind is None else cell.behind.tolist() for cell in low] == [[0, 1]] * 4
    assert [None if cell.positive is None else cell.positive.tolist() for cell in low] == [
        None,
        [0],
        [0],
        [1],
    ]
    assert table.notes[0].startswith("1 episode ended by a fault")


def test_without_an_anomaly_there_are_no_rows() -> None:
    assert anomaly_answers(columns_of_episodes([episode("g")]), [DIMENSIONS["agent"]]).rows == ()
