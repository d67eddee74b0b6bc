"""A stored run in Review: who ran and how it ended, thoughts, anomalies and verdicts."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication

from collector.exchange.imports.importing import import_into
from collector.model.action import Tap
from collector.store.project.project import Project
from studio.bridge.review import aligned_trajectories
from studio.widgets.device_view.highlight import Trace, TraceMark
from studio.widgets.icon_button import IconButton
from tests.collector.exchange.aitk.test_runs import CLICK
from tests.collector.exchange.dgara.test_runs import DgaraRun
from tests.helpers.aitk_source import aitk_folder, said
from tests.helpers.person_files import give_verdict
from tests.helpers.review_room import ReviewRoom
from tests.helpers.sample_run import INVALID, write_run
from tests.helpers.shown_texts import form_rows

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def lanes(room) -> dict[str, list[tuple[object, ...]]]:
    """The texts of the lanes of the last trajectory, by their titles."""
    group = room.workspace.timeline.canvas.track.groups[-1]
    found = {}
    for lane in group.lanes[1:]:
        marks = [(mark.slot, mark.text, *(part.text for part in mark.parts))
                 for mark in lane.marks(0, room.session.count)]  # fmt: skip
        if marks:
            found[lane.title] = marks
    return found


@pytest.fixture
def run(room, tmp_path):
    """The run of a project of its own is open."""
    project = Project.create(tmp_path / "benchmark")
    folder = write_run(project)
    room.studio.project_library.open(project.folder)
    library = room.studio.project_library
    room.until(lambda: library.project is not None and library.project.folder == project.folder)
    opened = ReviewRoom(room.studio, room.qtbot, project.folder, {"run": folder})
    opened.open("run")
    return opened


@pytest.mark.all_workspaces
def test_the_window_says_who_ran_how_it_ended_and_what_was_thought(run, monkeypatch) -> None:
    page, session = run.workspace.step_page, run.session
    facts = form_rows(page.run_facts)
    assert (facts["Agent"], facts["Model"], facts["Reason"]) == ("OpenAI", "UI-TARS-7B", "The cart is empty")
    assert (facts["Condition"], facts["Modality"]) == ("low_battery", "screenshot and tree")
    assert (facts["Claim"], facts["Tokens"], facts["Cost"]) == (
        "the task is done", "1,200 in, 80 out", "0.04 USD",
    )  # fmt: skip
    badge = run.workspace.columns.columns[0].verdict
    assert (badge.text, badge.icon, badge.tone) == ("failure", "state-err", "err")
    shown = lanes(run)
    assert shown["Thoughts"] == [(0, "Open the <b>shop</b>"), (1, "Sort by price"), (3, "Done")]
    assert shown["rules"] == [(1, "Sorted by price"), (4, "failure", "2 states missed")]
    assert shown["sara"] == [(4, "uncompleted")]

    agent = page.details.agent
    assert agent.thought.text() == "Open the <b>shop</b>"
    assert agent.changed.isHidden()
    agent.raw.findChild(IconButton).click()
    assert QGuiApplication.clipboard().text() == '{"action": "click"}'
    session.go(1)
    assert (agent.changed.predicted.text(), agent.changed.executed.text()) == (
        "tap 34, 52", "tap 10, 20, 40 px away",
    )  # fmt: skip
    view = run.workspace.columns.columns[0].view
    marks = (Trace(Tap(34, 52), TraceMark.NEXT), Trace(Tap(10, 20), TraceMark.AGENT))
    drawn = []
    monkeypatch.setattr(
        "studio.widgets.device_view.canvas.draw_traces", lambda _painter, traces, *_more: drawn.append(traces)
    )

    def draws_marks() -> bool:
        view.grab()
        return drawn[-1:] == [marks]

    run.until(draws_marks)
    assert [item.subject.state for item in page.details.judgements.judgements] == ["sorted"]
    session.go(2)
    assert not agent.invalid.isHidden()
    assert agent.invalid.reason.text() == INVALID.reason
    assert agent.raw.text == "sort <b>it</b>"

    give_verdict(run.folders["run"], "kim", "success")  # as another program does
    run.studio.project_library.edits.saved.emit()
    run.until(lambda: lanes(run).get("kim") == [(4, "success")])
    run.studio.commander.run("record.open-trajectory", folder=str(run.folders["run"]))
    run.until(lambda: run.studio.window.current.scope == "review")


def test_imported_runs_of_dgara_and_aitk_are_shown(room, tmp_path) -> None:
    source = tmp_path / "LOGFINAL/interference/interference-3"
    dgara = DgaraRun(source)
    dgara.tap(1)
    dgara.inject(rule_id="r", interference_id="low_battery_double_en", params={})
    dgara.tap(2)
    (source / "step_2_monitor_event.txt").write_text("SYSTEM_BATTERY_IGNORE")
    dgara.tap(3)
    dgara.end("failure", "Maximum execution steps reached")
    click = said("<think>The box is there</think>" + CLICK, action="tap", x=2, y=6)
    end = said("Thought: Done.\nAction: finished(content='')", action="end", answer="")
    project = room.studio.project_library.project
    folders = [
        *import_into(project, tmp_path / "LOGFINAL").folders,
        *import_into(project, aitk_folder(tmp_path / "qwen25vl_test/cnn_tariff", [click, end])).folders,
    ]
    shown = []
    for folder in folders:
        room.studio.commander.run("review.open", folder=str(folder))
        room.until(lambda folder=folder: room.session.is_aligned and room.session.stored[-1].folder == folder)
        if not shown:
            room.until(lambda: bool(room.workspace.work.sides[-1].judgements))
        shown.append((form_rows(room.workspace.step_page.run_facts), lanes(room)))
    (first, dgara_lanes), (second, aitk_lanes) = shown
    assert (first["Agent"], second["Agent"]) == ("D-GARA", "qwen25_vl")
    assert dgara_lanes["Anomalies"][0][:2] == (1, "low_battery_double_en")
    assert [text for _slot, text in dgara_lanes["D-GARA"]] == ["failure"]
    assert [text for _slot, text in aitk_lanes["Thoughts"]] == ["The box is there", "Done."]


def test_a_run_opened_while_the_project_is_read_finds_what_it_is_compared_with(room, monkeypatch) -> None:
    found, changed = aligned_trajectories.companions_of, Event()
    asked: list[bool] = []

    def companions_before_the_index(*of: Any) -> list[Path]:
        asked.append(changed.is_set())
        if asked != [False]:
            return found(*of)
        changed.wait(20)
        return []

    monkeypatch.setattr(aligned_trajectories, "companions_of", companions_before_the_index)
    library = room.studio.project_library
    room.studio.commander.run("review.open", folder=str(room.folders["baseline"]), step="")
    room.until(lambda: asked)
    library.changed.emit(library.snapshot)
    changed.set()
    room.until(lambda: len(room.session.stored) == 2 and room.session.is_aligned)
    assert [each.header.id for each in room.session.stored] == ["golden-1", "baseline"]
