"""The open project reaches the window as snapshots, and its errors as signals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.files.errors import FromTheFuture, NotFound
from collector.store.project.project import Project
from collector.store.trajectory.writer import TrajectoryWriter
from studio.bridge.jobs import JobRunner
from studio.bridge.project_exchange import ProjectExchange
from studio.bridge.project_findings import ProjectFindings
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.trajectories.trajectory_watch import TrajectoryWatch
from studio.commands.commander import Commander
from studio.commands.registry import Registry
from studio.views.project.problem_list import problem_rows


@pytest.fixture
def runner(qtbot: Any) -> Iterator[JobRunner]:
    runner = JobRunner()
    yield runner
    runner.close()
    runner.deleteLater()


@pytest.fixture
def project_library(runner: JobRunner) -> ProjectLibrary:
    return ProjectLibrary(runner)


@pytest.fixture
def findings(runner: JobRunner, project_library: ProjectLibrary) -> ProjectFindings:
    return ProjectFindings(runner, project_library)


@pytest.fixture
def opened(project_library: ProjectLibrary, qtbot: Any, tmp_path: Path) -> ProjectLibrary:
    with qtbot.waitSignals([project_library.opened, project_library.changed]):
        project_library.create(tmp_path / "mine", "Mine")
    return project_library


def test_what_views_change_for_a_snapshot_is_told_once(runner: JobRunner, qtbot: Any, tmp_path: Path) -> None:
    """Each change would refresh the keys and menus of all commands, in the turn that opens a project."""
    commander, told = Commander(Registry()), []
    commander.changed.subscribe(told.append)
    library = ProjectLibrary(runner, together=commander.batch)
    for name in ("project__open", "task__chosen"):
        library.opened.connect(lambda _snapshot, name=name: commander.set_context(**{name: True}))
        library.changed.connect(lambda _snapshot, name=name: commander.set_context(**{name: False}))
    with qtbot.waitSignals([library.opened, library.changed]):
        library.create(tmp_path / "mine", "Mine")
    assert len(told) == 2


def test_a_new_project_opens_empty(opened: ProjectLibrary) -> None:
    assert opened.snapshot is not None
    assert (opened.snapshot.name, opened.snapshot.tasks) == ("Mine", ())


def test_saved_tasks_come_back_in_the_next_snapshot(opened: ProjectLibrary, qtbot: Any) -> None:
    with qtbot.waitSignal(opened.changed) as emitted:
        opened.edits.edit("add", [Task("shop-1", "Buy a poster", app="Shop")])
    assert emitted.args[0].task("shop-1").instruction == "Buy a poster"
    assert opened.snapshot is emitted.args[0]


def test_a_folder_that_is_no_project_is_told_as_an_error(
    project_library: ProjectLibrary, qtbot: Any, tmp_path: Path
) -> None:
    with qtbot.waitSignal(project_library.failed) as emitted:
        project_library.open(tmp_path / "nowhere")
    assert isinstance(emitted.args[0], NotFound)
    assert project_library.snapshot is None


def test_a_damaged_project_opens_with_a_finding_and_one_of_a_later_version_does_not(
    opened: ProjectLibrary, findings: ProjectFindings, qtbot: Any
) -> None:
    assert opened.project is not None
    paths = opened.project.paths
    sound = paths.settings.read_bytes()
    opened.edits.edit("add", [Task("shop-1", "Buy a poster")])
    qtbot.waitUntil(lambda: b"shop-1" in paths.tasks.read_bytes())
    opened.close()
    paths.settings.write_bytes(b"name: [\n")
    said: list[str] = []
    opened.failed.connect(lambda error: said.append(str(error)))
    with qtbot.waitSignals([opened.opened, opened.changed]):
        opened.open(paths.folder)
    assert opened.snapshot is not None
    assert [task.id for task in opened.snapshot.tasks] == ["shop-1"]
    rows = problem_rows(opened.snapshot, findings.every)
    assert [(row.state, row.name) for row in rows] == [("err", "project.yaml")]
    assert said == [rows[0].text]
    with qtbot.waitSignal(findings.checked):
        findings.check()
    assert problem_rows(opened.snapshot, findings.every) == rows
    paths.settings.write_bytes(sound)
    with qtbot.waitSignal(opened.changed):
        opened.refresh()
    assert opened.snapshot.findings == ()

    paths.tasks.write_bytes(b"tasks: 1\n")
    with qtbot.waitSignals([opened.opened, opened.changed]):
        opened.open(paths.folder)
    assert [finding.code for finding in opened.snapshot.findings] == ["tasks-damaged"]
    paths.tasks.write_bytes(b"format: waymark-tasks\nversion: 99\ntasks: []\n")
    opened.close()
    with qtbot.waitSignal(opened.failed) as refused:
        opened.open(paths.folder)
    assert isinstance(refused.args[0], FromTheFuture)
    assert opened.snapshot is None


def test_an_import_renews_the_snapshot_and_reports(
    opened: ProjectLibrary, runner: JobRunner, qtbot: Any, tmp_path: Path
) -> None:
    source = tmp_path / "shots"
    source.mkdir()
    Image.new("RGB", (72, 160), "white").save(source / "1.png")
    (source / "1.xml").write_text(
        '<hierarchy rotation="0"><node index="0" text="Hi" class="android.widget.TextView" '
        'bounds="[0,0][72,160]"/></hierarchy>'
    )
    exchange = ProjectExchange(runner, opened)
    with qtbot.waitSignals([opened.changed, exchange.imported]):
        exchange.import_path(source)
    assert opened.snapshot is not None
    assert len(opened.snapshot.recent) == 1
    assert opened.snapshot.counts == {"golden": 1}


def test_a_check_tells_its_problems(opened: ProjectLibrary, findings: ProjectFindings, qtbot: Any) -> None:
    with qtbot.waitSignal(opened.changed):
        opened.edits.edit("add", [Task("empty", "")])
    with qtbot.waitSignal(findings.checked) as emitted:
        findings.check()
    assert [problem.code for problem in emitted.args[0]] == ["task-empty"]


def test_a_closed_project_is_told_as_none(opened: ProjectLibrary, qtbot: Any) -> None:
    with qtbot.waitSignal(opened.opened) as emitted:
        opened.close()
    assert emitted.args == [None]
    assert opened.refresh() is None


def test_what_a_run_or_another_program_adds_is_counted_without_being_asked(
    runner: JobRunner, opened: ProjectLibrary, qtbot: Any
) -> None:
    TrajectoryWatch(runner, opened, opened, every_ms=20)
    project = Project.open(opened.snapshot.folder)
    qtbot.waitUntil(lambda: not runner.jobs)  # it knows what there is
    for number in (1, 2):
        with project.new_trajectory(TrajectoryHeader(f"one-{number}", "shop-1")) as writer:
            if number == 1:
                writer.finish()
        qtbot.waitUntil(lambda number=number: sum(opened.snapshot.counts.values()) == number)
    qtbot.waitUntil(lambda: opened.snapshot.kinds == {"golden": 1, "unfinished": 1})
    with TrajectoryWriter.open(writer.folder) as again:  # as `waymark record` does meanwhile
        again.finish()
    qtbot.waitUntil(lambda: opened.snapshot.kinds == {"golden": 2, "unfinished": 0})
