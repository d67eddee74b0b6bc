"""Review, the tab Labels, Record's marks and the command line write the same file for the same deed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject

from collector.cli import main as command
from collector.model.verdicts.judgement import TASK, Subject
from collector.review.reviewing import Reviewing
from collector.store.trajectory.reader import open_trajectory
from studio.bridge.jobs import JobRunner
from studio.bridge.project_library import ProjectLibrary
from studio.bridge.review.reviewer_work import ReviewerWork
from studio.bridge.review.task_labels import TaskLabels
from studio.views.record.achieved_states import AchievedStates
from tests.helpers.reviewers import STATES, ReviewRoom

_SLOW = 5_000
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.+]+")
_SECONDS = re.compile(r'"seconds": [\d.]+,?\s*')
PERSON = "ann"
Say = Callable[[Reviewing, Path], Any]

DEEDS: dict[str, tuple[Say, tuple[str, ...]]] = {
    "mark": (
        lambda ann, folder: ann.label(
            folder, "", lambda labels: labels.with_reached("seen", 1, "states/0001.png")
        ),
        ("submit", "a", "--draft", "--state", "seen=2"),
    ),
    "verdict": (
        lambda ann, folder: ann.judge(folder, "failure", "No cart", "wrong-element"),
        (
            "submit",
            "a",
            "--draft",
            "--verdict",
            "failure",
            "--reason",
            "wrong-element",
            "--because",
            "No cart",
        ),
    ),
    "adjudicate": (
        lambda ann, folder: ann.adjudicate(folder, Subject(TASK), "failure", "Look", "wrong-element"),
        ("adjudicate", "a", "--verdict", "failure", "--reason", "wrong-element", "--because", "Look"),
    ),
    "submit": (lambda ann, folder: ann.submit(folder), ("submit", "a")),
    "unknown reason": (
        lambda ann, folder: ann.judge(folder, "failure", "", "x"),
        ("submit", "a", "--draft", "--verdict", "failure", "--reason", "x"),
    ),
}
"""What is done by the class of use cases, and by the verbs of ``waymark review``."""


class Ways:
    """Does deeds in the window as its workspaces do, and on the command line; says what came of each."""

    def __init__(self, folder: Path, runner: JobRunner, parent: QObject, qtbot: Any, capsys: Any) -> None:
        self.room = ReviewRoom(folder, runs=1)
        self.runner, self.parent, self.qtbot, self.capsys = runner, parent, qtbot, capsys
        self.run = self.room.folder("a")

    def review(self, deed: str) -> str:
        library = ProjectLibrary(self.runner, self.parent)
        with self.qtbot.waitSignals([library.opened, library.changed], timeout=_SLOW):
            library.open(self.room.project.folder)
        library.person = PERSON
        work = ReviewerWork(self.runner, library, self.parent)
        return self._after(
            work.acted, work.failed, lambda: work.act(lambda ann: DEEDS[deed][0](ann, self.run))
        )

    def labels(self, deed: str) -> str:
        labels = TaskLabels(self.runner, self.parent)
        labels.open(self.room.project, self.room.project.task("shop"), PERSON, STATES)
        act = lambda: labels.act(self.run, deed, lambda ann: DEEDS[deed][0](ann, self.run))  # noqa: E731
        return self._after(labels.labelled, labels.failed, act)

    def record(self, deed: str) -> str:
        assert deed == "mark"
        marks = AchievedStates(self.runner, lambda: self.room.project, lambda: None, self.parent)
        with self.qtbot.waitSignals([marks.changed, marks.changed], timeout=_SLOW):
            marks.open(self.run, PERSON)
        marks.follow(open_trajectory(self.run).steps)
        return self._after(marks.saved, marks.failed, lambda: marks.toggle(1, "seen"))

    def verbs(self, deed: str) -> str:
        arguments = (*DEEDS[deed][1], "--as", PERSON, "--project", str(self.room.project.folder))
        command.main(["review", *arguments])
        return self.capsys.readouterr().err.removeprefix("waymark: ").strip()

    def _after(self, done: Any, failed: Any, act: Callable[[], None]) -> str:
        """Why the deed was refused, in a sentence; empty when it was done."""
        errors: list[Exception] = []
        failed.connect(errors.append)
        ends: list[object] = []
        done.connect(ends.append)
        act()
        self.qtbot.waitUntil(lambda: bool(errors or ends), timeout=_SLOW)
        return str(errors[0]) if errors else ""

    def files(self) -> dict[str, str]:
        """What the person's files say, without times and seconds."""
        found = {}
        for path in sorted(self.run.glob(f"*/{PERSON}.json*")):
            text = _SECONDS.sub("", _TIME.sub("TIME", path.read_text("utf-8")))
            found[path.relative_to(self.run).as_posix()] = text
        return found


@pytest.fixture
def runner(qapp: Any) -> Iterator[JobRunner]:
    runner = JobRunner()
    yield runner
    runner.close()
    runner.deleteLater()


def prepare(ways: Ways, deed: str) -> None:
    """Let others disagree where that is decided, and the person be ready to submit."""
    if deed == "adjudicate":
        ways.room.submit("ben", verdict="success")
    if deed == "submit":
        ways.room.reviewing(PERSON).judge(ways.run, "success")


@pytest.mark.parametrize(
    ("deed", "ways"),
    [
        ("mark", ("review", "labels", "record", "verbs")),
        ("verdict", ("review", "labels", "verbs")),
        ("submit", ("review", "labels", "verbs")),
        ("adjudicate", ("review", "labels", "verbs")),
    ],
)
def test_every_way_writes_the_same_files(deed, ways, tmp_path, runner, qtbot, capsys):
    said = []
    for name in ways:
        way = Ways(tmp_path / name, runner, runner, qtbot, capsys)
        prepare(way, deed)
        assert getattr(way, name)(deed) == ""
        said.append(way.files())
    assert said[0]
    assert said == [said[0]] * len(ways)


def nothing(_ways: Ways) -> None:
    """Nobody has said anything."""


def be_a_party(ways: Ways) -> None:
    ways.room.submit(PERSON, verdict="success")


@pytest.mark.parametrize(
    ("deed", "before", "sentence"),
    [
        ("submit", nothing, "The review is not submitted: it has no verdict. Give a verdict first"),
        ("adjudicate", nothing, "Nothing is to be adjudicated on a"),
        ("adjudicate", be_a_party, "You cannot adjudicate a: you reviewed it yourself"),
        ("unknown reason", nothing, "The project has no reason x"),
    ],
)
def test_every_way_refuses_with_the_same_sentence_and_writes_nothing(
    deed, before, sentence, tmp_path, runner, qtbot, capsys
):
    refusals = []
    for name in ("review", "labels", "verbs"):
        way = Ways(tmp_path / name, runner, runner, qtbot, capsys)
        before(way)
        files = way.files()
        refusals.append(getattr(way, name)(deed))
        assert way.files() == files
    assert refusals == [refusals[0]] * 3
    assert refusals[0].startswith(sentence)
