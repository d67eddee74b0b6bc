"""Injecting from the window: commands, what is told, and what is asked."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from collector.anomalies.anomaly_source import TrustRequest
from collector.anomalies.events import DISMISSED, FAILED, INJECTED, STALLED, UNCLEAR, AnomalyEvent
from collector.anomalies.injection_session import DangerQuestion, PhoneFront
from collector.anomalies.injector import InjectionRequest
from collector.anomalies.journal import PendingChange
from collector.anomalies.model import Anomaly
from collector.anomalies.trust.command_effects import command_effects
from collector.anomalies.trust.command_preview import CommandGroup
from collector.store.project.project import Project
from studio.widgets.inject.confirmation_dialogs import DangerDialog, TrustDialog

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "grabbing the keyboard", "raise", extend=True)


def toasts(studio):
    return [toast.accessibleName() for toast in studio.window.toasts.shown]


def open_palette(studio, qtbot, workspace="record"):
    studio.window.show_workspace(workspace)
    palette = studio.window.inject.palette
    studio.commander.run(f"{workspace}.inject")
    qtbot.waitUntil(lambda: bool(palette.list.entries))
    return palette


@pytest.mark.parametrize("workspace", ["record", "rules"])
def test_the_palette_opens_in_both_workspaces_and_tells_that_no_phone_is_there(studio, qtbot, workspace):
    palette = open_palette(studio, qtbot, workspace)
    assert palette.isVisible()
    assert palette.list.reason.startswith("No phone is in use: ")
    qtbot.waitUntil(lambda: palette.details.picture.image is not None, timeout=20_000)
    assert f"{workspace}.inject" in studio.window.workspace(workspace).toolbar.buttons
    palette.close_palette()


def test_the_projects_own_anomalies_come_first_and_are_marked(studio, qtbot, tmp_path):
    project = Project.create(tmp_path / "project")
    (project.folder / "anomalies").mkdir()
    library = project.folder / "anomalies" / "library.yaml"
    library.write_text("interference_library:\n  - {id: login_wall, target_activity: LoginActivity}\n")
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    palette = open_palette(studio, qtbot)
    entries = palette.list.entries
    assert (entries[0].anomaly.id, entries[0].own) == ("login_wall", False)
    assert [entry.anomaly.id for entry in entries].count("login_wall") == 1
    palette.close_palette()
    library.write_bytes(b"\xff\xfe\x00broken")
    studio.commander.run("record.inject")
    qtbot.waitUntil(lambda: any("cannot be read" in toast for toast in toasts(studio)))
    qtbot.waitUntil(lambda: all(entry.own for entry in palette.list.entries))


def test_what_is_in_front_of_the_phone_reaches_the_palette(studio, qtbot):
    palette = open_palette(studio, qtbot)
    studio.anomalies.front_known.emit(PhoneFront("", "", dark=True))
    assert palette.details.dark


def test_an_anomaly_nobody_knows_is_told(studio, qtbot):
    studio.window.show_workspace("record")
    studio.commander.run("record.inject", anomaly="nonsense")
    qtbot.waitUntil(lambda: "There is no anomaly nonsense" in toasts(studio))


def test_without_a_phone_firing_says_so_and_is_remembered_as_used(studio, qtbot):
    studio.window.show_workspace("record")
    studio.commander.run("record.inject", anomaly="wifi_off")
    qtbot.waitUntil(lambda: any("Nothing was injected" in toast for toast in toasts(studio)))
    assert studio.settings["anomalies.recent"] == ["wifi_off"]


def show_active(studio, *changes):
    studio.anomalies.active = changes
    studio.anomalies.active_changed.emit(changes)


def test_the_badge_and_its_commands_follow_what_is_on_the_phone(studio, qtbot, monkeypatch):
    controller, undone = studio.window.inject, []
    monkeypatch.setattr(studio.anomalies, "undo", lambda injection_id="": undone.append(injection_id))
    assert not studio.commander.enabled("anomaly.undo")
    show_active(
        studio, PendingChange("a", "wifi_off", ("svc wifi enable",)), PendingChange("b", "x", native=False)
    )
    assert controller.badge.text() == "2 anomalies active"
    studio.commander.run("anomaly.show")
    assert controller.popup.isVisible()
    controller.popup.undo_asked.emit("a")
    studio.commander.run("anomaly.undo")
    studio.commander.run("anomaly.undo-all")
    assert undone == ["a", "b", ""]
    show_active(studio)
    assert not controller.popup.isVisible()
    assert not studio.commander.enabled("anomaly.undo-all")


@pytest.mark.parametrize(
    ("kind", "details", "words"),
    [
        (DISMISSED, {"answer": "dismiss"}, "low was closed without a button"),
        (UNCLEAR, {"reason": "the log is silent"}, "low. the log is silent"),
        (INJECTED, {"reason": "it was so already"}, "low. it was so already"),
        (STALLED, {}, "The phone's log does not answer; low is still watched"),
        (FAILED, {"command": "false", "reason": "no"}, "What follows low did not work. no"),
    ],
)
def test_what_does_not_show_on_the_phone_is_told(studio, kind, details, words):
    studio.anomalies.happened.emit(AnomalyEvent(kind, "a", "low", 0, **details))
    assert toasts(studio) == [words]


def test_what_was_taken_back_for_an_earlier_session_is_told(studio):
    studio.anomalies.restored.emit(2)
    assert toasts(studio)[0].startswith("2 changes of an earlier session were undone")


def test_trusting_goes_on_and_cancelling_does_not(studio, qtbot, monkeypatch):
    trusted = []
    monkeypatch.setattr(studio.anomalies, "trust", trusted.append)
    wanted = TrustRequest(
        Path("p"), InjectionRequest(Anomaly("a")), (CommandGroup("a", "", (command_effects("x"),)),), ("x",)
    )
    for accept in (False, True):
        studio.anomalies.trust_asked.emit(wanted)
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, TrustDialog)
        (dialog.yes if accept else dialog.no).click()
    assert trusted == [wanted]


def test_a_dangerous_command_is_asked_about(studio):
    for accept in (False, True):
        question = DangerQuestion(command_effects("reboot"))
        studio.anomalies.asked.emit(question)
        dialog = QApplication.activeModalWidget()
        assert isinstance(dialog, DangerDialog)
        (dialog.yes if accept else dialog.no).click()
        assert question.wait() is accept


def test_what_is_asked_of_a_project_is_gone_with_it(studio, qtbot, tmp_path):
    wanted = TrustRequest(
        Path("p"), InjectionRequest(Anomaly("a")), (CommandGroup("a", "", (command_effects("x"),)),), ("x",)
    )
    studio.anomalies.trust_asked.emit(wanted)
    studio.solvability.trust_asked.emit(wanted)
    assert isinstance(QApplication.activeModalWidget(), TrustDialog)
    other = Project.create(tmp_path / "other")
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(other.folder)
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)
    studio.anomalies.trust(wanted)
    assert not Project.open(other.folder).trusted


def test_a_question_nobody_waits_for_any_more_is_taken_away(studio, qtbot):
    question = DangerQuestion(command_effects("reboot"))
    studio.anomalies.asked.emit(question)
    assert isinstance(QApplication.activeModalWidget(), DangerDialog)
    question.answer(False)  # as when the phone was let go
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is None)


def test_a_library_that_is_no_yaml_is_told(studio, qtbot, tmp_path):
    project = Project.create(tmp_path / "project")
    (project.folder / "anomalies").mkdir()
    (project.folder / "anomalies" / "library.yaml").write_text("interference_library:\n  - id: [\n")
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    palette = open_palette(studio, qtbot)
    qtbot.waitUntil(
        lambda: any("cannot be read" in toast and "is not YAML" in toast for toast in toasts(studio))
    )
    assert all(entry.own for entry in palette.list.entries)
    palette.close_palette()
