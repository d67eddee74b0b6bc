"""Points by agent and variation with their spread, as the reliability plot shows them."""

from __future__ import annotations

import pytest

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.reliability import reliability
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes

VARIATIONS = ("default", "dark theme", "large font", "German", "many items", "pop-ups")
SUCCESSES = {"GPT-4o": (78, 75, 70, 72, 66, 48), "UI-TARS 7B": (68, 66, 51, 60, 49, 33)}


def test_the_spread_of_the_mockup() -> None:
    table = columns_of_episodes(
        EpisodeFacts(
            f"task-{number}", agent=agent, variation=variation, is_finished=1,
            outcome="success" if number < hits else "failure",
        )
        for agent, rates in SUCCESSES.items()
        for variation, hits in zip(VARIATIONS, rates, strict=True)
        for number in range(100)
    )  # fmt: skip
    result = reliability(table, DIMENSIONS["variation"])
    assert set(result.labels) == set(VARIATIONS)
    spreads = {series.name: series.spread for series in result.series}
    gpt, tars = spreads["GPT-4o"], spreads["UI-TARS 7B"]
    assert [gpt.std, gpt.mad, gpt.range] == pytest.approx([0.107, 0.074, 0.30], abs=5e-4)
    assert [tars.std, tars.mad, tars.range] == pytest.approx([0.130, 0.102, 0.35], abs=5e-4)


def test_the_runs_of_a_point_are_its_seeds() -> None:
    table = columns_of_episodes(
        EpisodeFacts(
            f"task-{number}", agent="a", seed=seed, is_finished=1,
            outcome="success" if number < hits else "failure",
        )
        for seed, hits in ((1, 6), (2, 8), (3, 10))
        for number in range(10)
    )  # fmt: skip
    (point,) = reliability(table, DIMENSIONS["variation"]).series[0].points
    assert (point.rate, point.hits, point.count, point.tasks) == (0.8, 24, 30, 10)
    assert [point.runs.mean, point.runs.std, point.runs.mad] == pytest.approx([0.8, 0.2, 0.4 / 3])
    assert len(point.positive) == 24
