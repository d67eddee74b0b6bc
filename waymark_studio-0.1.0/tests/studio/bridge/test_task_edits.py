"""Edits of tasks and changes of ``tasks.yaml`` by other programs, in the window's library."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.files.disk import Disk
from collector.store.project.project import Project
from studio.bridge.jobs import JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.save_status import SaveStatus
from tests.helpers.tasks import put_task

_SLOW = 5_000
A, B = Task("a", "Do a"), Task("b", "Do b")


@pytest.fixture
def runner(qtbot: Any) -> Iterator[JobRunner]:
    runner = JobRunner()
    yield runner
    runner.close()
    runner.deleteLater()


@pytest.fixture
def library(runner: JobRunner, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ProjectLibrary:
    monkeypatch.setattr("studio.bridge.task_edits.RETRY_MS", 100)
    Project.create(tmp_path / "p").save_tasks([A, B])
    library = ProjectLibrary(runner)
    with qtbot.waitSignals([library.opened, library.changed], timeout=_SLOW):
        library.open(tmp_path / "p")
    return library


@pytest.fixture
def status(runner: JobRunner, library: ProjectLibrary) -> Iterator[SaveStatus]:
    status = SaveStatus(runner, library)
    library.opened.emit(library.snapshot)
    yield status
    status.close()


def other_program(library: ProjectLibrary) -> Project:
    """The project as a second studio or the command line has it."""
    assert library.project is not None
    return Project.open(library.project.folder)


def on_disk(library: ProjectLibrary) -> tuple[Task, ...]:
    return other_program(library).tasks


def test_a_task_added_outside_appears_and_an_edit_keeps_it(library: ProjectLibrary, qtbot: Any) -> None:
    new = Task("new", "From git")
    with qtbot.waitSignal(library.history_changed, timeout=_SLOW):
        put_task(other_program(library), new)
    assert library.edits.tasks == (A, B, new)
    assert library.snapshot is not None
    assert library.snapshot.tasks == (A, B, new)
    with qtbot.waitSignal(library.edits.saved, timeout=_SLOW):
        library.edits.edit("edit a", [replace(A, note="mine"), B, new])
    with qtbot.waitSignal(library.edits.saved, timeout=_SLOW):
        library.history.undo()
    assert on_disk(library) == (A, B, new)


def test_an_edit_made_before_a_change_outside_is_noticed_is_merged_with_it(
    library: ProjectLibrary, qtbot: Any
) -> None:
    theirs = other_program(library)
    with qtbot.waitSignals([library.edits.saved, library.edits.conflicted], timeout=_SLOW) as signals:
        theirs.save_tasks([replace(A, instruction="theirs", level="hard"), B])
        library.edits.edit("edit a", [replace(A, instruction="mine"), B])
    assert signals.signal_triggered
    assert library.edits.tasks == on_disk(library) == (replace(A, instruction="mine", level="hard"), B)
    assert library.history.undo_title == "edit a"


def test_the_other_programs_version_can_be_taken_and_that_undone(library: ProjectLibrary, qtbot: Any) -> None:
    with qtbot.waitSignal(library.edits.conflicted, timeout=_SLOW) as conflicted:
        other_program(library).save_tasks([replace(A, instruction="theirs"), B])
        library.edits.edit("edit a", [replace(A, instruction="mine"), B])
    with qtbot.waitSignal(library.edits.saved, timeout=_SLOW):
        library.edits.use_theirs(conflicted.args[0])
    assert on_disk(library) == (replace(A, instruction="theirs"), B)
    with qtbot.waitSignal(library.edits.saved, timeout=_SLOW):
        library.history.undo()
    assert on_disk(library) == (replace(A, instruction="mine"), B)


def test_quick_edits_and_undos_end_as_the_last_was_asked(library: ProjectLibrary, qtbot: Any) -> None:
    for number in range(30):
        library.edits.edit("edit", [replace(A, note=str(number)), B])
        if number % 3 == 0:
            library.history.undo()
    qtbot.waitUntil(
        lambda: on_disk(library) == library.edits.tasks == (replace(A, note="29"), B), timeout=_SLOW
    )


def test_undo_keeps_a_task_that_was_recorded(library: ProjectLibrary, qtbot: Any) -> None:
    library.edits.edit("add c", [A, B, Task("c", "Do c")])
    qtbot.waitUntil(lambda: len(on_disk(library)) == 3)
    project = other_program(library)
    with project.new_trajectory(TrajectoryHeader("c-1", "c")) as writer:
        writer.finish()
    with qtbot.waitSignal(library.changed, timeout=_SLOW):
        library.refresh()
    with pytest.raises(UserError, match="cannot be undone: there are recordings of c"):
        library.history.undo()
    assert [task.id for task in library.edits.tasks] == ["a", "b", "c"]
    assert library.history.undo_title == "add c"
    in_hand = ["a"]
    library.edits.keep_used(lambda: in_hand)
    library.edits.edit("delete a", [task for task in library.edits.tasks if task.id != "a"])
    library.history.undo()  # brings back, and takes nothing away
    assert "a" in [task.id for task in library.edits.tasks]


def test_an_edit_the_disk_refuses_stays_and_is_written_later(
    library: ProjectLibrary, status: SaveStatus, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Disk, "_replace", refuse)
    with qtbot.waitSignal(library.failed, timeout=_SLOW):
        library.edits.edit("edit a", [replace(A, note="typed"), B])
    assert library.edits.tasks[0].note == "typed"
    qtbot.waitUntil(lambda: bool(status.state.error), timeout=_SLOW)
    assert status.state.time is None
    monkeypatch.undo()
    with qtbot.waitSignal(library.edits.saved, timeout=_SLOW):
        pass  # it is tried again
    assert on_disk(library)[0].note == "typed"
    qtbot.waitUntil(lambda: not status.state.error and status.state.time is not None, timeout=_SLOW)


def test_a_broken_file_is_named_and_the_edit_saved_once_it_is_mended(
    library: ProjectLibrary, qtbot: Any
) -> None:
    assert library.project is not None
    path = library.project.paths.tasks
    whole = path.read_text(encoding="utf-8")
    with qtbot.waitSignal(library.failed, timeout=_SLOW) as failed:
        path.write_text(whole + "<<<<<<< HEAD\n", encoding="utf-8")
        library.edits.edit("edit a", [replace(A, note="typed"), B])
    assert "tasks.yaml cannot be read" in str(failed.args[0])
    assert library.edits.is_unsaved
    path.write_text(whole, encoding="utf-8")
    with qtbot.waitSignal(library.edits.saved, timeout=_SLOW):
        pass  # it is tried again
    assert on_disk(library) == (replace(A, note="typed"), B)


def test_edits_do_not_wait_for_a_reading_of_the_whole_project(
    library: ProjectLibrary, runner: JobRunner, qtbot: Any
) -> None:
    """An import or an index of thousands of trajectories is under way."""
    import threading

    from studio.bridge.jobs import JobQueue

    over = threading.Event()
    runner.run(lambda _job: over.wait(_SLOW), queue=JobQueue.LONG)
    try:
        with qtbot.waitSignal(library.edits.saved, timeout=_SLOW):
            library.edits.edit("delete a", [B])
        assert on_disk(library) == (B,)
    finally:
        over.set()


def test_the_save_time_changes_with_a_write_and_with_nothing_else(
    library: ProjectLibrary, status: SaveStatus, qtbot: Any
) -> None:
    with qtbot.waitSignal(library.changed, timeout=_SLOW):
        library.refresh()
    assert status.state.time is None
    library.edits.edit("edit a", [replace(A, note="x"), B])
    qtbot.waitUntil(lambda: status.state.time is not None, timeout=_SLOW)
    assert on_disk(library)[0].note == "x"
