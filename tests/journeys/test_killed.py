"""The window is killed while a person records: no committed step is lost, and the recording goes on.

One kill at a random moment here; ``make kills`` does fifty and prints what it found.
"""

from __future__ import annotations

import random
import sys
import time
from contextlib import closing

import pytest

from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from collector.store.trajectory.reader import open_trajectory
from studio.app.demo.qt_driver import QtDriver
from tests.helpers.killed_window import (
    TASK,
    Window,
    phone_for_windows,
    record_and_kill,
    reopen,
    step_lines,
    waymark,
)
from tests.helpers.steps import png, step, xml

KILLS, MOST_KILLS = 1, 12


@pytest.fixture
def setup(phones, tmp_path):
    """A project, a home folder, and the port of an adb server with a phone."""
    with phone_for_windows(tmp_path, phones) as (project, adb_port):
        yield project, tmp_path / "home", adb_port


@pytest.mark.fault("F10")
def test_killing_the_window_at_random_moments_loses_no_committed_step(setup):
    project, home, adb_port = setup
    draw = random.Random(20260412)
    steps = kills = 0
    # A window may be killed before it has written a step.
    while kills < KILLS or (steps < KILLS and kills < MOST_KILLS):
        with Window(project, home, adb_port) as window:
            window.until_ready()
            witness = record_and_kill(window, draw)
        steps += reopen(project, witness).at_kill
        kills += 1
    assert steps >= KILLS


@pytest.mark.fault("F32")
@pytest.mark.skipif(sys.platform == "win32", reason="SIGHUP is of POSIX")
def test_a_window_whose_session_ends_writes_the_step_that_is_being_captured(setup):
    project, home, adb_port = setup
    with Window(project, home, adb_port) as window:
        window.until_ready()
        window.run("record.start")
        window.until("state", lambda state: state["recording"]["folder"], "a recording")
        window.run("record.wait")
        window.until_steps(1)
        window.run("device.home")
        folder = window.folder
        window.hang_up()
    assert [step.action.kind for step in open_trajectory(folder).steps if step.action] == ["wait", "key"]
    assert waymark("project", "check", str(project))[0] == 0


def test_a_new_window_offers_the_recording_that_was_cut_short_and_goes_on_with_it(setup):
    project, home, adb_port = setup
    with Window(project, home, adb_port) as window:
        window.until_ready()
        window.run("record.start")
        window.until("state", lambda state: state["recording"]["folder"], "a recording")
        for number in range(3):
            window.run("record.wait")
            window.until_steps(number + 1)
        window.run("device.home")
        folder = window.folder
        window.kill()
    committed = step_lines(folder)
    assert len(committed) >= 3

    with Window(project, home, adb_port, input_server=True) as window, closing(QtDriver(home)) as driver:
        window.until("state", lambda state: state["phone"]["live"], "the phone")
        window.until("controls", lambda controls: _named(controls, "1 recording was cut short"), "the offer")
        left, top, width, height = _named(window.ask("controls"), "Go on with it")["place"]
        driver.click((left + width // 2, top + height // 2))
        window.until("state", lambda state: state["recording"]["folder"], "the recording")
        assert window.folder == folder
        window.run("record.wait")
        window.until_steps(len(committed) + 1)
        window.run("record.finish")
        window.until("state", lambda state: not state["recording"]["folder"], "the end of it")

    stored = open_trajectory(folder)
    assert stored.header.status == "finished"
    assert stored.header.task_id == TASK.id
    lines = step_lines(folder)
    assert {seq: lines[seq] for seq in committed} == committed
    assert len(stored.steps) == len(committed) + 2  # one more action, and the final state
    times = [step.t_ms for step in stored.steps]
    assert times == sorted(times)
    assert waymark("project", "check", str(project))[0] == 0


def _named(controls, text):
    return next((control for control in controls if control["name"].startswith(text)), None)


_SOON_S = 0.3
"""The longest time between an edit and its place on the disk, as a person may count on it."""
_ATTEMPTS = 3  # other tests may hold the processors during one


def test_an_edit_among_thousands_of_tasks_outlives_a_kill_a_moment_later(phones, tmp_path):
    project = Project.create(tmp_path / "large")
    project.save_tasks([Task(f"task-{number:04}", "Do it", "Shop") for number in range(2000)])
    with project.new_trajectory(TrajectoryHeader("", "task-0500", who="lin")) as writer:
        writer.append(step(0), png(), xml())
        writer.finish()
    outcomes = []
    for number in range(_ATTEMPTS):
        home = tmp_path / f"home-{number}"
        outcomes.append(_edit_and_kill(project.folder, home, phones.adb.port, number))
        if outcomes[-1] == (True, True):
            break
    assert outcomes[-1] == (True, True), outcomes
    assert waymark("project", "check", str(project.folder))[1]["problems"] == []


def _edit_and_kill(folder, home, adb_port, number):
    """Type a note, delete a task, kill the window; whether each of the two was on the disk a moment later."""
    deleted, note = f"task-{1000 + number}", f"note {number}"
    with Window(folder, home, adb_port, input_server=True) as window, closing(QtDriver(home)) as driver:
        window.until("state", lambda state: state["context"].get("project.open"), "the project")
        window.run("view.record")
        window.run("record.open-trajectory")
        window.until("state", lambda state: state["context"].get("trajectory.stored"), "the trajectory")
        window.run("step.first")
        window.raise_window()
        window.until("state", lambda state: state["active"], "the window in front")
        window.run("step.note")
        driver.key("Ctrl+A")
        driver.write(note)
        time.sleep(_SOON_S)  # the promise that is tried
        trajectory = next(Project.open(folder).trajectory_folders())
        noted = open_trajectory(trajectory).steps[0].intention == note
        window.run("record.close-trajectory")
        window.run("record.next-task", task=deleted)
        window.run("record.show-task")
        window.until("state", lambda state: state["context"].get("task.selected"), "the task")
        window.run("task.delete")
        time.sleep(_SOON_S)
        window.kill()
    tasks = {task.id for task in Project.open(folder).tasks}
    assert len(tasks) >= 2000 - number - 1
    return noted, deleted not in tasks
