"""The window is killed while a person records: no committed step is lost, and the recording goes on.

A few kills here; ``make kills`` does fifty and prints what it found.
"""

from __future__ import annotations

import random
from contextlib import closing

import pytest

from collector.store.reader import open_trajectory
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

KILLS = 6


@pytest.fixture
def setup(phones, tmp_path):
    """A project, a home folder, and the port of an adb server with a phone."""
    with phone_for_windows(tmp_path, phones) as (project, adb_port):
        yield project, tmp_path / "home", adb_port


def test_killing_the_window_at_random_moments_loses_no_committed_step(setup):
    project, home, adb_port = setup
    draw = random.Random(20260412)
    steps = 0
    for _round in range(KILLS):
        with Window(project, home, adb_port) as window:
            window.until_ready()
            witness = record_and_kill(window, draw)
        steps += reopen(project, witness).at_kill
    assert steps > KILLS


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
