"""Steps are compared behind the window: trees first, then pictures, and only the newest pair."""

from __future__ import annotations

import pytest

from studio.bridge.jobs import JobRunner
from studio.bridge.review.state_comparisons import StateComparisons
from tests.helpers.compared_screens import FIRST, SECOND, screenshot, step_of


@pytest.fixture
def comparisons(qtbot):
    runner = JobRunner()
    comparing = StateComparisons(runner)
    comparing.events = []
    comparing.screens_compared.connect(lambda shown: comparing.events.append(("screens", shown)))
    comparing.pictures_compared.connect(lambda shown: comparing.events.append(("pictures", shown)))
    yield comparing
    comparing.close()
    runner.close()


def test_trees_arrive_before_pictures_and_only_of_the_newest_pair(comparisons, qtbot):
    first, second = step_of(0, FIRST, screenshot()), step_of(2, SECOND, screenshot((0, 0, 120, 6)))
    for side in (1, 3):
        comparisons.compare(first, step_of(side, FIRST, screenshot()))
    comparisons.compare(first, second)
    with qtbot.waitSignal(comparisons.pictures_compared):
        pass
    assert [kind for kind, _shown in comparisons.events] == ["screens", "pictures"]
    (_, screens), (_, pictures) = comparisons.events
    assert (screens.before.place, screens.after.place) == (first, second)
    assert [each.kind.value for each in screens.nodes] == ["changed", "removed", "added"]
    assert pictures.difference.share == 0
    with qtbot.waitSignal(comparisons.pictures_compared):
        comparisons.set_ignores_bars(False)
    assert comparisons.events[-1][1].difference.share > 0
    assert len(comparisons.events) == 3, "trees are not compared again for the switch"


def test_the_same_pair_is_compared_once_and_a_missing_step_empties_the_panels(comparisons, qtbot):
    first, second = step_of(0, FIRST, screenshot()), step_of(1, FIRST)
    with qtbot.waitSignal(comparisons.pictures_compared):
        comparisons.compare(first, second)
    assert comparisons.events[-1][1].difference is None, "the second has no picture"
    comparisons.events.clear()
    comparisons.compare(first, second)
    comparisons.compare(first, None)
    assert comparisons.events == [("screens", None), ("pictures", None)]
    assert comparisons.pair is None
