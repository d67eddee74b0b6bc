"""The anomaly lanes show each anomaly over the steps that it affects."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from collector.store.trajectory.interruptions import Interruption, RecordedFollowUp
from studio.widgets.captions.interruption_text import answer_icon, interruption_facts
from studio.widgets.thumbnail_cache import ThumbnailCache
from studio.widgets.timeline.anomalies import anomaly_lanes, anomaly_mark
from studio.widgets.timeline.lanes import step_track
from studio.widgets.timeline.sizes import RECORDING_SIZES, RULER
from studio.widgets.timeline.timeline import Timeline
from tests.helpers.steps import step

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)
ANSWERED = Interruption(
    "a", "battery_low", injected_ms=1500, slot=1, steps=(1, 2), gone_ms=2100, answer="deny", button="Not now",
    answered_by=2, follow_ups=(RecordedFollowUp("am start -a x", "ok"),),
)  # fmt: skip
OPEN = Interruption("o", "wifi_weak", injected_ms=4000, slot=4)
UNDONE = Interruption("n", "font_scale", True, "settings put x", 1000, 1, (1, 2, 3), undone_ms=3500)


def test_a_dialog_is_one_bar_in_its_parts():
    mark = anomaly_mark(ANSWERED, 6)
    assert (mark.slot, mark.bar, mark.text) == (1, 2, "battery_low")
    assert [(part.icon, part.text) for part in mark.parts] == [("x", "Not now"), ("play", "")]


def test_what_is_open_reaches_to_the_live_slot():
    assert anomaly_mark(OPEN, 7).bar == 3
    beyond = anomaly_mark(OPEN, 3)
    assert (beyond.slot, beyond.bar) == (2, 1)


def test_what_overlaps_has_a_lane_of_its_own():
    lanes = anomaly_lanes([UNDONE, ANSWERED, OPEN], 6)
    assert [[mark.text for mark in lane.given] for lane in lanes] == [
        ["font_scale", "wifi_weak"],
        ["battery_low"],
    ]
    assert {lane.title for lane in lanes} == {"Anomalies"}


def test_without_anomalies_the_lane_is_there_and_empty():
    (lane,) = anomaly_lanes([], 6)
    assert lane.is_empty()
    assert anomaly_lanes([OPEN], 0)[0].is_empty()


@pytest.mark.parametrize("answer", ["accept", "deny", "manage", "dismiss"])
def test_every_answer_has_a_shape_of_its_own(answer):
    shapes = {
        answer_icon(Interruption("a", "x", gone_ms=1, answer=answer))
        for answer in ("accept", "deny", "manage", "dismiss", "")
    }
    assert len(shapes) == 5
    assert answer_icon(Interruption("a", "x", gone_ms=1, answer=answer)) in shapes


def test_all_that_is_known_is_told():
    facts = dict(interruption_facts(ANSWERED))
    assert facts["Answered"] == "Not now · denied, step 3"
    assert facts["Followed"] == "am start -a x"
    assert dict(interruption_facts(UNDONE))["Command"] == "settings put x"
    assert dict(interruption_facts(UNDONE))["Undone"] == "00:03.5"


def test_the_pointer_over_a_bar_is_told_its_story(hosted):
    timeline = hosted(Timeline(ThumbnailCache()), 900, 260)
    steps = [step(number, t_ms=number * 1000) for number in range(5)]
    lanes = anomaly_lanes([ANSWERED], len(steps))
    timeline.set_track(step_track("one", steps, anomalies=lanes))
    canvas = timeline.canvas
    at = QPoint(canvas.grid().middle(2), RULER + RECORDING_SIZES.film + RECORDING_SIZES.text * 3 // 2)
    mark = canvas.view.mark_at(at)
    assert mark is not None
    assert mark.text == "battery_low"
    assert canvas.view.mark_at(QPoint(canvas.grid().middle(0), at.y())) is None
    timeline.set_current(2)
    assert canvas.accessibleDescription() == "Step 3 of 5, battery_low Not now"
    timeline.set_current(4)
    assert canvas.accessibleDescription() == "Step 5 of 5"
    view = canvas.viewport()
    event = QHelpEvent(QEvent.Type.ToolTip, at, view.mapToGlobal(at))
    QApplication.sendEvent(view, event)
    assert "Not now" in QToolTip.text()
    QToolTip.hideText()
    assert not timeline.grab().isNull()


def test_how_a_dialog_ended_is_said_with_its_answer():
    left = Interruption("a", "low", gone_ms=4100, answer="dismiss", how="back", earlier=("deny", "Later"))
    facts = dict(interruption_facts(left))
    assert facts["Answered"] == "closed by Back"
    assert facts["Answered before"] == "denied, Later"
    rated = Interruption("a", "low", gone_ms=4100, answer="accept", button="Rate", how="touch", given="4")
    assert dict(interruption_facts(rated))["Given"] == "4"
