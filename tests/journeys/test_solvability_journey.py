"""A person asks which anomalies a task bears: on a phone through adb, by the window's commands alone."""

from __future__ import annotations

import shutil
import time

import pytest
from PySide6.QtWidgets import QLabel

from collector.device.transport.adb_device import AdbDevice
from collector.device.transport.adb_server import AdbServer
from collector.model.errors import UserError
from collector.replay.phone import opened_phone
from collector.replay.solvability.trials import TrialResult
from collector.store.project.project import Project
from rule_editor.widgets.cell_grid import GridCell
from studio.views.project.bottom_panel import SOLVABILITY
from studio.widgets.controls import Button
from tests.helpers.golden import ADD_TASK, add_a_task

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise", "grabbing the keyboard", extend=True)
# What turned stays turned: the words of a page lie elsewhere, and fewer of them are there.
BEARS, STOPS = "battery_low_double_en", "rotation"


@pytest.fixture(scope="module")
def golden(phones, tmp_path_factory):
    """The folder of a project with one golden trajectory, recorded once on a phone of its own."""
    project = Project.create(tmp_path_factory.mktemp("golden") / "project")
    with phones.phone() as address, opened_phone(AdbDevice(address, AdbServer(phones.adb.port))) as phone:
        add_a_task(phone, project)
    return project.folder


@pytest.fixture
def person_with_phone(golden, person, tmp_path):
    """Somebody with a project of one golden trajectory, the phone in use and the setup open."""
    shutil.copytree(golden, tmp_path / "project")
    project = Project.open(tmp_path / "project")
    with person.qtbot.waitSignal(person.studio.project_library.opened, timeout=30_000):
        person.studio.project_library.open(project.folder)
    project_library = person.studio.project_library
    person.until(lambda: project_library.snapshot.golden.get(ADD_TASK.id))
    person.take_phone()
    person.run("view.project")
    person.project_workspace = person.studio.window.workspace("project")
    person.project_workspace.table.select([ADD_TASK.id])
    return person


def set_up(person, *anomalies, records=False):
    """Choose as a person does, and start; pictures of each step are taken only for ``records``."""
    person.run("project.solvability")
    dialog = person.project_workspace.solvability.dialog
    person.until(lambda: dialog.tasks.chosen == [ADD_TASK.id])
    dialog.anomalies.nothing.click()
    for anomaly in anomalies:
        dialog.anomalies.tick(anomaly, True)
    dialog.fresh.setChecked(True)
    dialog.records.setChecked(records)
    person.until(dialog.yes.isEnabled)
    dialog.yes.click()
    person.until(lambda: person.studio.solvability.is_running)


def device_of(person):
    return person.studio.devices.current.session.device


def rotation_of(person):
    return device_of(person).shell("settings get system user_rotation").text.strip()


def test_which_anomalies_a_task_bears(person_with_phone):
    person, solvability = person_with_phone, person_with_phone.studio.solvability
    before = rotation_of(person)
    panel = person.project_workspace.bottom.solvability
    messages = []
    person.studio.devices.current.message.connect(messages.append)
    set_up(person, BEARS, STOPS, records=True)
    assert person.project_workspace.bottom.tabs.current == SOLVABILITY
    assert panel.state.isVisible()
    person.run("view.record")
    person.run("device.home")
    assert messages == ["The phone is busy: a solvability check runs on it"]
    with pytest.raises(UserError, match="The phone is busy"):
        person.run("record.start")
    person.run("record.inject", anomaly=BEARS)
    person.run("record.inject")
    palette = person.studio.window.inject.palette
    person.until(lambda: palette.list.entries)
    assert palette.list.reason == person.studio.anomalies.leased_for != ""
    palette.close_palette()
    person.run("view.project")
    person.qtbot.waitUntil(lambda: not solvability.is_running, timeout=120_000)

    trials = {trial.anomaly: trial for trial in solvability.trials}
    assert (trials[BEARS].result, trials[BEARS].answer) == (TrialResult.SOLVABLE, "deny")
    assert trials[STOPS].result is TrialResult.STOPS
    stop = trials[STOPS].stops_at
    assert stop is not None
    assert panel.summary.text() == "1 of 2 stay solvable"
    assert rotation_of(person) == before
    person.until(lambda: person.studio.anomalies.active == ())
    assert person.studio.devices.current.busy == ""

    column = panel.table.anomalies.index(STOPS)
    panel.matrix.go(GridCell(0, column))
    words = [label.text() for label in panel.facts.widget().findChildren(QLabel)]
    assert f"stops at step {stop + 1}" in words
    assert any(word.startswith("Expected:") for word in words)
    session = person.studio.window.workspace("review").session
    run, golden = panel.facts.widget().findChildren(Button)
    run.click()
    person.until(lambda: session.is_aligned and session.stored[session.side].header.is_run)
    stored = session.stored[session.side]
    assert (stored.header.id, stored.header.episode.condition) == (trials[STOPS].run, STOPS)
    assert stored.header.outcome.status in ("failure", "uncompleted")
    assert session.step_number(session.side) == len(stored.steps) - 1, "where it stopped"
    assert all(step.state.screenshot and step.state.skew is not None for step in stored.steps)
    met = session.aligned.reviewed[session.side].interruptions
    assert [interruption.anomaly for interruption in met] == [STOPS]
    person.run("view.project")
    golden.click()
    person.until(lambda: session.is_aligned and [each.header.is_run for each in session.stored] == [False])
    assert session.step_number(0) == stop
    assert {trial.run for trial in solvability.trials} <= {
        folder.name for folder in person.studio.project_library.project.trajectory_folders()
    }


def test_a_check_that_is_cancelled_leaves_the_phone_as_it_was(person_with_phone):
    person, solvability = person_with_phone, person_with_phone.studio.solvability
    before = rotation_of(person)
    set_up(person, STOPS)
    person.until(lambda: [change.anomaly for change in person.studio.anomalies.active] == [STOPS])
    began = time.monotonic()
    person.run("project.solvability-cancel")
    person.until(lambda: not solvability.is_running)
    assert time.monotonic() - began < 10
    assert solvability.problem == "Cancelled"
    assert rotation_of(person) == before
    person.run("view.record")
    person.run("device.home")


def test_a_phone_that_goes_away_ends_it_and_is_set_right_when_it_is_back(person_with_phone):
    person, solvability = person_with_phone, person_with_phone.studio.solvability
    before = rotation_of(person)
    set_up(person, BEARS, STOPS)
    person.until(lambda: [change.anomaly for change in person.studio.anomalies.active] == [STOPS])
    AdbServer().disconnect(person.address)
    person.until(lambda: not solvability.is_running)
    assert solvability.problem
    assert [trial.anomaly for trial in solvability.trials] == [BEARS]
    AdbServer().connect(person.address)
    device = AdbDevice(person.address)
    person.until(lambda: person.studio.devices.current is not None and person.studio.devices.current.is_live)
    person.until(lambda: device.shell("settings get system user_rotation").text.strip() == before)
    person.until(lambda: person.studio.anomalies.active == ())


def test_the_end_of_the_window_sets_the_phone_right_first(person_with_phone):
    person = person_with_phone
    before = rotation_of(person)
    set_up(person, STOPS)
    person.until(lambda: [change.anomaly for change in person.studio.anomalies.active] == [STOPS])
    device = device_of(person)
    person.studio.window.close()
    person.studio.solvability.close()
    person.studio.anomalies.close()
    assert device.shell("settings get system user_rotation").text.strip() == before
