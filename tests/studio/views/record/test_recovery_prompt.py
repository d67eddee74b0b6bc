"""A recording that was cut short is offered; a run is repaired, because nobody can go on with it."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from collector.model.trajectory import RUN, TrajectoryHeader
from collector.store.project.project import Project
from collector.store.trajectory.reader import read_header
from studio.views.record.recovery_prompt import RecoveryPrompt
from tests.helpers.steps import png, step, xml

DEAD = '{"pid": 1, "host": "gone"}'


class Toasts:
    def __init__(self) -> None:
        self.shown: list[tuple[str, str]] = []

    def show(self, _state, what, why="", act=None, **_more) -> None:
        self.shown.append((what, why))
        self.act = act


@pytest.fixture
def project(tmp_path):
    project = Project.create(tmp_path / "cut")
    for name, kind in (("golden-1", "golden"), ("run-1", RUN)):
        with project.new_trajectory(TrajectoryHeader(name, "shop-1", kind=kind)) as writer:
            writer.append(step(1), png(), xml())
        (writer.folder / ".lock").write_text(DEAD)
    (project.folder / ".part-0-tasks.yaml").touch()
    return project


def test_a_run_is_repaired_and_only_the_recording_is_offered(project, runner, qtbot):
    toasts = Toasts()
    prompt = RecoveryPrompt(SimpleNamespace(tasks=runner, toasts=toasts))
    prompt.search(project)
    qtbot.waitUntil(lambda: bool(toasts.shown), timeout=20_000)
    assert toasts.shown == [("1 recording was cut short", "Every committed step is kept: shop-1 / golden-1")]
    run, golden = (read_header(project.find(name)) for name in ("run-1", "golden-1"))
    assert (run.status, run.outcome.infrastructure != "") == ("recovered", True)
    assert golden.status == "recording"
    assert not list(project.folder.glob(".part-*"))


def test_nothing_is_repaired_in_a_project_that_may_only_be_read(project, runner, qtbot):
    project.is_read_only = True
    toasts = Toasts()
    prompt = RecoveryPrompt(SimpleNamespace(tasks=runner, toasts=toasts))
    prompt.search(project)
    qtbot.waitUntil(lambda: bool(toasts.shown), timeout=20_000)
    assert read_header(project.find("run-1")).status == "recording"
    assert list(project.folder.glob(".part-*"))


def test_each_of_several_recordings_that_were_cut_short_is_offered(project, runner, qtbot):
    with project.new_trajectory(TrajectoryHeader("golden-2", "shop-1")) as writer:
        writer.append(step(1), png(), xml())
    (writer.folder / ".lock").write_text(DEAD)
    toasts, opened = Toasts(), []
    devices, recording = SimpleNamespace(current=None), SimpleNamespace()
    commander = SimpleNamespace(run=lambda _command, folder: opened.append(Path(folder).name))
    services = SimpleNamespace(
        tasks=runner, toasts=toasts, devices=devices, recording=recording, commander=commander
    )
    prompt = RecoveryPrompt(services)
    prompt.search(project)
    qtbot.waitUntil(lambda: bool(toasts.shown), timeout=20_000)
    for _again in range(2):
        toasts.act()
    assert opened == ["golden-2", "golden-1"]
    assert [what for what, _why in toasts.shown] == [
        "2 recordings were cut short",
        "1 recording was cut short",
    ]
