"""Edits of tasks: from the edit in the window to the bytes on the disk, in projects of thousands of tasks."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from PySide6.QtWidgets import QApplication

from collector.model.task import Task
from collector.store.project.project import Project
from collector.store.tasks import task_file
from studio.bridge.jobs import JobRunner
from studio.bridge.project_library import ProjectLibrary
from tests.benchmarks.budgets.table import Budget, Row

_COUNTS = (2_000, 20_000)
_EDITS = 12
_LIMIT_MS = 200
_PATIENCE_S = 120


def rows() -> Iterator[Row]:
    """Deletions, undos and changes of a text in turn; each is waited for before the next."""
    for count in _COUNTS:
        with tempfile.TemporaryDirectory() as name:
            samples = _edits(_project(Path(name), count))
            yield Row(f"an edit among {count:,} tasks, on the disk", samples, Budget("max", _LIMIT_MS))


def _project(folder: Path, count: int) -> Path:
    project = Project.create(folder / "p")
    entries = "".join(
        f"  - id: shop-{number}\n    instruction: Find poster {number} and put it into the cart\n"
        "    app: Shop\n    package: com.example.shop\n    level: easy\n    max_steps: 20\n"
        "    target_rule_ids:\n      - bought\n"
        for number in range(count)
    )
    head = task_file.new_file(()).decode().replace("tasks: []", "tasks:")
    project.paths.tasks.write_text(head + entries, encoding="utf-8")
    return project.folder


def _edits(folder: Path) -> list[float]:
    runner = JobRunner()
    library = ProjectLibrary(runner)
    library.open(folder)
    _wait(lambda: library.project is not None and not runner.jobs)
    path = library.project.paths.tasks if library.project is not None else Path()
    samples: list[float] = []
    for number, kind in zip(range(_EDITS), itertools.cycle(("delete", "undo", "change")), strict=False):
        before, began = path.stat().st_mtime_ns, time.perf_counter()
        if kind == "undo":
            library.history.undo()
        elif kind == "delete":
            library.edits.edit("delete", library.edits.tasks[:number] + library.edits.tasks[number + 1 :])
        else:
            changed = replace(library.edits.tasks[number], instruction=f"Change {number}")
            library.edits.edit(
                "edit", (*library.edits.tasks[:number], changed, *library.edits.tasks[number + 1 :])
            )
        _wait(lambda before=before: path.stat().st_mtime_ns != before)  # type: ignore[misc]
        samples.append((time.perf_counter() - began) * 1000)
        _wait(lambda: not runner.saving)
    edited = library.edits.tasks
    runner.close()
    assert _tasks_on_disk(folder) == edited
    library.deleteLater()
    runner.deleteLater()
    return samples


def _tasks_on_disk(folder: Path) -> tuple[Task, ...]:
    return Project.open(folder).tasks


def _wait(is_done: object) -> None:
    assert callable(is_done)
    deadline = time.monotonic() + _PATIENCE_S
    while not is_done():
        assert time.monotonic() < deadline, "an edit did not reach the disk"
        QApplication.processEvents()
        time.sleep(0.001)
