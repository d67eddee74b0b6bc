"""An edit of labels is on the stack from when it was asked for, and undone once the disk has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject

from collector.model.editing.edit_stack import EditStack
from collector.model.errors import UserError
from collector.review.reviewing import Reviewing
from collector.store.trajectory.reviews.labels import read_labels
from studio.bridge.jobs import JobRunner
from studio.bridge.review.task_labels import TaskLabels
from tests.helpers.reviewers import STATES, ReviewRoom

_SLOW = 5_000


@pytest.fixture
def room(tmp_path: Path) -> ReviewRoom:
    return ReviewRoom(tmp_path / "project")


@pytest.fixture
def labels(room: ReviewRoom, qtbot: Any) -> Iterator[TaskLabels]:
    parent, runner = QObject(), JobRunner()
    labels = TaskLabels(runner, parent)
    with qtbot.waitSignals([labels.changed, labels.changed], timeout=_SLOW):
        labels.open(room.project, room.project.task("shop"), "ann", STATES)
    yield labels
    runner.close()


def mark(ann: Reviewing, folder: Path) -> Any:
    return ann.label(folder, "mark", lambda labels: labels.with_reached("seen", 1, "states/0001.png"))


def refuse(_ann: Reviewing) -> None:
    raise UserError("No")


def test_an_undo_is_told_once_the_file_says_so(room: ReviewRoom, labels: TaskLabels, qtbot: Any) -> None:
    folder, stack = room.folder("a"), EditStack()
    labels.edited.connect(stack.add)
    labels.forgotten.connect(stack.forget)
    step = lambda: read_labels(folder, "ann").step_of("seen")  # noqa: E731
    told: list[tuple[str, int | None]] = []
    labels.act(folder, "mark", lambda ann: mark(ann, folder))
    assert stack.undo_title == "mark"  # before its job has run: the next undo is of this edit
    stack.changed.subscribe(lambda _event: told.append((stack.redo_title, step())))
    stack.undo()
    stack.redo()
    assert told == []
    qtbot.waitUntil(lambda: len(told) == 2, timeout=_SLOW)
    assert (step(), stack.undo_title) == (1, "mark")
    stack.undo()
    qtbot.waitUntil(lambda: len(told) == 3, timeout=_SLOW)
    assert told[2] == ("mark", None)


def test_what_is_refused_or_changes_nothing_is_not_offered(
    room: ReviewRoom, labels: TaskLabels, qtbot: Any
) -> None:
    folder, stack = room.folder("a"), EditStack()
    labels.edited.connect(stack.add)
    labels.forgotten.connect(stack.forget)
    with qtbot.waitSignal(labels.failed, timeout=_SLOW):
        labels.act(folder, "refused", refuse)
    with qtbot.waitSignal(labels.forgotten, timeout=_SLOW):
        labels.act(folder, "nothing", lambda _ann: None)
    assert (stack.undo_title, stack.redo_title) == ("", "")
