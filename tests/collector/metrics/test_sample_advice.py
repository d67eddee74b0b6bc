"""A rate of a small sample says so, and how many episodes would do."""

from __future__ import annotations

from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.measures.registry import MEASURES
from collector.metrics.pivot import Pivot, pivot
from collector.metrics.report import report_of
from collector.metrics.report_cell import ReportCell
from collector.metrics.sample_advice import enough_for
from collector.store.catalogue.episode_facts import EpisodeFacts
from tests.helpers.episode_table import columns_of_episodes


def by_agent(**counts: tuple[int, int]) -> Pivot:
    table = columns_of_episodes(
        EpisodeFacts(
            f"t{number}", agent=agent, is_finished=1, outcome="success" if number < hits else "failure"
        )
        for agent, (hits, count) in counts.items()
        for number in range(count)
    )  # fmt: skip
    return pivot(table, [DIMENSIONS["agent"]], [MEASURES["sr"], MEASURES["steps"]])


def test_only_rates_whose_interval_reaches_far_need_more_episodes() -> None:
    result = by_agent(few=(2, 4), enough=(50, 100), sure=(0, 40))
    assert result.groups.labels == (("enough",), ("few",), ("sure",))
    assert [enough_for(result.cell(row, 0)) for row in range(3)] == [None, 93, None]
    assert enough_for(result.cell(1, 1)) is None
    assert enough_for(ReportCell(None, 0)) is None


def test_a_table_says_how_many_of_its_rates_are_of_small_samples() -> None:
    assert report_of(by_agent(a=(50, 100))).notes[1:] == ()
    assert report_of(by_agent(a=(2, 4), b=(50, 100))).notes[1:] == (
        "1 rate is of a small sample: its interval reaches more than 10 points to either side. "
        "A denominator of 93 would do.",
    )
    (note,) = report_of(by_agent(a=(2, 4), b=(0, 8))).notes[1:]
    assert note.startswith("2 rates are of small samples")
