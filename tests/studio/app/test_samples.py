"""What is said when a sample is opened points to what is in it: its button comes to something."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from collector.store.project.samples import ESSENTIAL_STATES, ROBUSTNESS, VARIATIONS
from studio.widgets.window_frame.callout import Callout

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "does not support", extend=True)
_PATIENCE_MS = 30_000
ARRIVALS = {
    ROBUSTNESS: ("metrics", "review", "review.open"),
    ESSENTIAL_STATES: ("states", "states", "states.comparing"),
    VARIATIONS: ("metrics", "rules", "variations.shown"),
}
"""The workspace that comes to the front, the one that the button leads to, and what is shown there then."""


def test_each_sample_leads_to_what_it_tells_of(studio, qtbot):
    commander, window = studio.commander, studio.window
    for sample, (first, then, shown) in ARRIVALS.items():
        commander.run(sample.command)
        qtbot.waitUntil(lambda: bool(callouts(window)), timeout=_PATIENCE_MS)
        (callout,) = callouts(window)
        assert callout.text.title == sample.label
        assert window.current is window.workspace(first), sample.id
        QTest.mouseClick(callout.button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda name=shown: bool(commander.context.get(name)), timeout=_PATIENCE_MS)
        assert window.current is window.workspace(then), sample.id
        assert not callouts(window)

        if sample is ROBUSTNESS:
            qtbot.waitUntil(lambda: bool(commander.context.get("review.several")), timeout=_PATIENCE_MS)
        if sample is ESSENTIAL_STATES:
            assert window.workspace("states").session.task_id == "shop-14"


def callouts(window):
    """The callouts that are seen."""
    return [callout for callout in window.findChildren(Callout) if callout.isVisible()]
