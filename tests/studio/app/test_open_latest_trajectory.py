"""The latest trajectory is opened from a project whose files are still being read."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QLabel, QWidget

from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.project.project import Project
from tests.helpers.steps import png, step

pytestmark = pytest.mark.all_workspaces


def test_the_latest_trajectory_opens_from_a_project_that_the_catalogue_does_not_know_yet(
    studio, qtbot, tmp_path
):
    project = Project.create(tmp_path / "benchmark")
    project.save_tasks([Task("shop-1", "Buy a lamp", app="Shop")])
    with project.new_trajectory(TrajectoryHeader("first", "shop-1", who="lin")) as writer:
        writer.append(step(0), png(), b"<hierarchy/>")
        writer.finish()
    with project.new_trajectory(TrajectoryHeader("cut-short", "shop-1", who="lin")) as writer:
        writer.append(step(0), png(), b"<hierarchy/>")
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(project.folder)
    assert studio.project_library.snapshot.recent == ()
    shown = {label.text() for label in studio.window.findChildren(QLabel)}
    shown |= {widget.accessibleName() for widget in studio.window.findChildren(QWidget)}
    assert {"reading the project...", "The trajectories are being read..."} <= shown
    assert not {"no golden", "index ok, 0 trajectories"} & shown
    studio.answer({"run": "record.open-trajectory"})
    session = studio.window.workspace("record").session
    qtbot.waitUntil(lambda: session.header is not None and session.header.id in ("first", "cut-short"))
    workspace = studio.window.workspace("project")

    def counts() -> set[str]:
        return {label.accessibleName() for label in workspace.findChildren(QWidget)}

    qtbot.waitUntil(lambda: "1 task, 1 golden" in counts())  # as the table counts


def test_a_project_without_a_trajectory_says_so(studio, qtbot, tmp_path):
    with qtbot.waitSignal(studio.project_library.opened):
        studio.project_library.open(Project.create(tmp_path / "empty").folder)
    studio.answer({"run": "record.open-trajectory"})
    toasts = studio.window.toasts
    qtbot.waitUntil(lambda: any("no trajectory yet" in toast.accessibleName() for toast in toasts.shown))


def test_a_catalogue_that_was_deleted_is_made_anew_and_not_taken_for_an_empty_project(
    studio, qtbot, tmp_path
):
    project = Project.create(tmp_path / "benchmark")
    project.save_tasks([Task("shop-1", "Buy a lamp", app="Shop")])
    with project.new_trajectory(TrajectoryHeader("first", "shop-1", who="lin")) as writer:
        writer.append(step(0), png(), b"<hierarchy/>")
        writer.finish()
    library = studio.project_library
    library.open(project.folder)
    qtbot.waitUntil(lambda: library.snapshot is not None and library.snapshot.recent != ())
    project.paths.catalogue.unlink()
    studio.answer({"run": "record.open-trajectory"})
    session = studio.window.workspace("record").session
    qtbot.waitUntil(lambda: session.header is not None and session.header.id == "first")
