"""The five walks of docs/architecture.md: every file of them is passed, and no file that they leave out."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

from collector.cli.main import waymark
from collector.judge.judging import judge_trajectories
from collector.judge.registry import RULES_JUDGE, create_judge
from collector.model.action import Complete
from collector.project_rules.project_rules import ProjectRules
from collector.recorder.serial_worker import SerialWorker
from collector.rules.conditions.element_exists import ElementExistsType
from collector.store.files.disk import Disk
from tests.helpers.cycle_room import WAY, CycleRoom, press
from tests.helpers.metrics_room import make_metrics_project
from tests.helpers.recorder_rig import BUY, RecorderRig
from tests.helpers.reviewers import ReviewRoom
from tests.helpers.scripts import ROOT
from tests.helpers.walk_trace import WalkTrace

TOUCH, RULE, CELL, NUMBER, VERDICT = (
    "A touch on the mirror becomes a step on the disk",
    "A rule becomes a verdict on a trajectory",
    "A cell of an experiment becomes an episode on the disk",
    "An episode becomes a number on the screen",
    "A verdict of a person becomes a file",
)
LONGEST = {TOUCH: 11, RULE: 12, CELL: 20, NUMBER: 11, VERDICT: 11}
_FILE = re.compile(r"^\d+\. `([\w/]+\.py)`", re.MULTILINE)


@cache
def walks() -> dict[str, list[str]]:
    """The files of each walk, by its title."""
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    part = text[text.index("## Five walks") :]
    part = part[: part.index("\n## ", 1)]
    sections = re.split(r"^### (.*)$", part, flags=re.MULTILINE)[1:]
    return {title: _FILE.findall(body) for title, body in zip(sections[::2], sections[1::2], strict=True)}


@cache
def imports(path: str) -> frozenset[str]:
    """The files of the product that a file imports from."""
    found = set()
    for node in ast.walk(ast.parse((ROOT / path).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return frozenset(name.replace(".", "/") + ".py" for name in found)


@pytest.mark.parametrize("title", LONGEST)
def test_a_walk_is_short_and_each_file_of_it_knows_an_earlier_one_or_is_known_by_it(title: str) -> None:
    files = walks()[title]
    assert 5 < len(files) <= LONGEST[title]
    for at, path in enumerate(files[1:], 1):
        before = files[:at]
        assert imports(path) & set(before) or any(path in imports(other) for other in before), path


def record_a_tap(folder: Path, trace: WalkTrace) -> None:
    with trace.calls():
        rig = RecorderRig(folder)
        rig.screen(40, BUY)
        rig.tap()
        rig.steps()
        rig.close()


def run_an_episode(folder: Path, trace: WalkTrace) -> None:
    room = CycleRoom(folder / "project")
    with trace.calls():
        room.run([*map(press, WAY), Complete()])


def judge_an_episode(folder: Path, trace: WalkTrace) -> None:
    room = CycleRoom(folder / "project")
    run = room.project.find(room.run([*map(press, WAY), Complete()]).trajectory)
    trace.stacks.clear()
    with trace.calls():
        judge = create_judge(RULES_JUDGE)
        (judged,) = judge_trajectories(ProjectRules(room.project), [run], judge, anew=True)
    assert judged.on_task is not None
    assert judged.on_task.verdict == "success"


def count_episodes(folder: Path, trace: WalkTrace) -> None:
    project = make_metrics_project(folder / "project")
    with trace.calls():
        result = CliRunner().invoke(waymark, ["metrics", "show", str(project.folder)])
    assert "able" in result.output


def give_a_verdict(folder: Path, trace: WalkTrace) -> None:
    room = ReviewRoom(folder / "project")
    trace.stacks.clear()
    with trace.calls():
        room.reviewing("ann").judge(room.folder("a"), "failure")


Goes = Callable[[Path, WalkTrace], None]
GOES: dict[str, tuple[Goes, str]] = {
    TOUCH: (record_a_tap, "collector/recorder/recorder.py"),
    RULE: (judge_an_episode, "collector/judge/judging.py"),
    CELL: (run_an_episode, "collector/run/cycle/episode.py"),
    NUMBER: (count_episodes, "collector/store/catalogue/catalogue.py"),
    VERDICT: (give_a_verdict, "collector/review/reviewing.py"),
}
"""What goes each walk, from which of its files on; imports tell of windows and processes before it."""


@pytest.mark.parametrize("title", GOES)
def test_a_walk_passes_what_is_written(title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go, first = GOES[title]
    trace = WalkTrace()
    for owner, name in ((SerialWorker, "submit"), (Disk, "_append"), (ElementExistsType, "prove")):
        trace.watch(owner, name, monkeypatch.setattr)
    go(tmp_path, trace)
    files = walks()[title]
    assert set(files[files.index(first) :]) - trace.called == set()
    for last in {stack[-1] for stack in trace.stacks} & set(files):
        stacks = [stack for stack in trace.stacks if stack[-1] == last]
        assert any(set(stack) <= set(files) for stack in stacks), stacks


def test_each_file_that_answers_a_question_exists_and_no_question_is_asked_twice() -> None:
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    part = text[text.index("## Where is it?") :]
    rows = re.findall(r"^\| ([^|]+\?) \| (.+) \|$", part[: part.index("\n## ", 1)], re.MULTILINE)
    assert len(rows) >= 30
    questions = [question for question, _answer in rows]
    assert len(questions) == len(set(questions))
    for question, answer in rows:
        folder = ROOT
        for path in re.findall(r"`([\w/.]+)`", answer):
            place = ROOT / path if "/" in path else folder / path
            assert place.exists(), (question, path)
            folder = place if place.is_dir() else place.parent
