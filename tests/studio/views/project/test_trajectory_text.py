"""Cards, lists and the palette say of a run which agent made it, under what, and how it ended."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from collector.model import i18n
from collector.model.resources import asset
from collector.model.trajectory import FINISHED, IMPORTED, RECOVERED
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.catalogue.catalogue_text import outcome_text
from studio.app.main_window.palette_entries import trajectory_entries
from studio.views.project.recent_trajectories import RecentCards
from studio.views.project.trajectory_model import TITLES, TrajectoryModel
from studio.views.project.trajectory_text import about_text, maker_text, state_icon, status_text
from studio.widgets.thumbnail_cache import ThumbnailCache
from tests.studio.views.project.test_trajectory_list_dialog import FakeLibrary

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", extend=True)
RUN = CatalogueRow(
    "trajectories/t/r", "r", "t", "run", "imported", "imported", "OpenAI", "low_battery",
    "2026-01-01T00:00:00+00:00", 1000, 7, 0, "", model="UI-TARS-7B", modality="screenshot", seed=7,
    outcome="uncompleted", reason="The budget ended", early_stop=True, verdicts=(("failure", "sara"),),
)  # fmt: skip
GOLDEN = CatalogueRow("trajectories/t/g", "g", "t", "golden", "lin", "finished", "", "", "", 1, 3, 0, "")


def test_a_run_says_agent_model_condition_and_outcome():
    assert (maker_text(RUN), outcome_text(RUN), state_icon(RUN)) == (
        "OpenAI · UI-TARS-7B", "uncompleted, early stop", "state-unc",
    )  # fmt: skip
    assert about_text(RUN).splitlines() == [
        "r", "run · OpenAI · UI-TARS-7B", "Condition: low_battery", "Modality: screenshot", "Seed: 7",
        "Outcome: uncompleted, early stop", "The budget ended", "sara: failure",
    ]  # fmt: skip
    fault = replace(RUN, outcome="", infrastructure="The phone went offline", early_stop=False, verdicts=())
    assert (outcome_text(fault), state_icon(fault)) == ("not judged, fault of the machine", "state-warn")
    judged = replace(fault, infrastructure="", verdicts=(("failure", "sara"), ("failure", "rules")))
    assert (outcome_text(judged), state_icon(judged)) == ("failure", "state-err")
    split = replace(judged, verdicts=(("failure", "sara"), ("success", "rules")))
    assert (outcome_text(split), state_icon(split)) == ("not judged", "state-todo")
    assert maker_text(replace(RUN, agent="", model="")) == "unknown agent"
    assert [state_icon(replace(RUN, status=status)) for status in ("damaged", "recording")] == [
        "state-err", "state-unc",
    ]  # fmt: skip


def test_a_golden_says_who_recorded_it_and_has_no_outcome():
    assert (maker_text(GOLDEN), outcome_text(GOLDEN), state_icon(GOLDEN)) == ("lin", "", "state-ok")
    assert state_icon(replace(GOLDEN, problems=1)) == "state-warn"
    assert about_text(GOLDEN) == "g\ngolden · lin"
    assert about_text(replace(GOLDEN, status="recording")) == "g\nunfinished · lin"


def test_cards_list_and_palette_show_it(dressed, qtbot):
    cards = RecentCards(ThumbnailCache())
    qtbot.addWidget(cards)
    cards.resize(600, 162)
    cards.show_rows([RUN, GOLDEN])
    cards.show()
    assert not cards.grab().isNull()
    at = QPoint(100, 80)
    QApplication.sendEvent(cards, QHelpEvent(QEvent.Type.ToolTip, at, cards.mapToGlobal(at)))
    assert "UI-TARS-7B" in QToolTip.text()
    QToolTip.hideText()

    library = FakeLibrary(0)
    model = TrajectoryModel(library)
    model.search("")
    library.rows = [RUN, GOLDEN]
    library.answer()
    texts = [[model.index(row, column).data() for column in range(len(TITLES))] for row in range(2)]
    assert texts[0][:8] == [
        "t", "r", "run", "OpenAI · UI-TARS-7B", "low_battery", "uncompleted, early stop", "7", "imported",
    ]  # fmt: skip
    assert texts[1][2:6] == ["golden", "lin", "", ""]
    assert "sara: failure" in model.index(0, 1).data(Qt.ItemDataRole.ToolTipRole)
    run, golden = trajectory_entries([RUN, GOLDEN])
    assert "OpenAI · UI-TARS-7B · uncompleted, early stop" in run.detail
    assert golden.detail == "Trajectory · lin"


def test_every_status_is_said_in_the_language_of_the_window():
    assert i18n.use_language("zh_CN", asset("translations"))
    try:
        said = [status_text(replace(GOLDEN, status=status)) for status in (FINISHED, RECOVERED, IMPORTED)]
    finally:
        i18n.use_language(i18n.SOURCE_LANGUAGE, asset("translations"))
    assert said == ["已完成", "已恢复", "已导入"]
