"""Reports as JSON: standard JSON also where a number is infinite, and each cell says what it counts."""

from __future__ import annotations

import json

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.measures.registry import MEASURES
from collector.metrics.papers.a3 import a3_tables
from collector.metrics.pivot import pivot
from collector.metrics.rendering.json_document import table_document
from collector.metrics.report import report_of
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes

# The only failure is that of the episode with a loop.
EPISODES = (
    EpisodeFacts("a", agent="g", outcome="failure", is_finished=1, loop_length=5),
    EpisodeFacts("b", agent="g", outcome="success", is_finished=1),
)


def test_an_infinite_number_is_null_and_says_so() -> None:
    result = pivot(
        columns_of_episodes(EPISODES), [DIMENSIONS["agent"]], [MEASURES["loop-risk"], MEASURES["sr"]]
    )
    (row,) = json.loads(json.dumps(table_document(report_of(result)), allow_nan=False))["rows"]
    assert (row["cells"]["loop-risk"]["value"], row["cells"]["loop-risk"]["is_infinite"]) == (None, True)
    assert row["cells"]["sr"]["value"] == 1 / 2
    assert "is_infinite" not in row["cells"]["sr"]


def test_a_row_of_states_says_that_it_counts_states() -> None:
    (table,) = a3_tables(columns_of_episodes(EPISODES, states=[(1, 3), (2, 2)]))
    cells = {row["labels"][-1]: row["cells"]["overall"] for row in table_document(table)["rows"]}
    assert {name: (cell["counting"], cell["hits"], cell["count"]) for name, cell in cells.items()} == {
        "SR": ("episodes", 1, 2), "ESAR": ("states", 3, 5),
    }  # fmt: skip
