"""Every kind of damage has its code, none raises, and nothing on disk changes."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from collector.model.action import Type
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.task import Task
from collector.model.trajectory import TrajectoryHeader
from collector.store.checks import check
from collector.store.checks.check import check_project, check_trajectory
from collector.store.project.project import Project
from collector.store.redaction.step_redaction import StepRedaction
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.reviews.annotations import write_annotations
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml
from tests.helpers.tasks import put_task


@pytest.fixture
def project(tmp_path: Path) -> Project:
    created = Project.create(tmp_path / "p")
    put_task(created, Task("one", "Do it"))
    with created.new_trajectory(TrajectoryHeader("t", "one")) as writer:
        for number in range(4):
            writer.append(step(number), png(shade=number), xml(f"n{number}"))
        writer.delete(2)
        writer.finish()
    write_annotations(writer.folder, "ann", {"verdict": "success"})
    return created


def folder(project: Project) -> Path:
    return project.folder / "trajectories/one/t"


def test_a_sound_project_has_no_problems(project: Project) -> None:
    assert check_project(project) == []


def _flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _edit_lines(path: Path, change: object) -> None:
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    change(lines)  # type: ignore[operator]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def _escape(lines: list[dict]) -> None:
    lines[0]["state"]["tree"] = "../../../../project.yaml"


DAMAGE = {
    "hash-differs": lambda at: _flip(at / "states/0000.png"),
    "blob-missing": lambda at: (at / "states/0001.xml").unlink(),
    "stray": lambda at: (at / "states/0099.png").write_bytes(b"x"),
    "header-damaged": lambda at: (at / "trajectory.json").write_bytes(b'{"id":'),
    "from-the-future": lambda at: (at / "trajectory.json").write_text(
        '{"format":"waymark-trajectory","version":9}'
    ),
    "steps-damaged": lambda at: _flip_line(at / "steps.jsonl"),
    "order": lambda at: _edit_lines(at / "steps.jsonl", list.reverse),
    "path-unsafe": lambda at: _edit_lines(at / "steps.jsonl", _escape),
    "hash-missing": lambda at: _edit_lines(
        at / "steps.jsonl", lambda lines: lines[0]["state"]["sha256"].clear()
    ),
    "action-missing": lambda at: _edit_lines(at / "steps.jsonl", lambda lines: lines[0].update(action=None)),
    "annotation-damaged": lambda at: (at / "annotations/ann.json").write_text("[1]"),
    "needs-recovery": lambda at: (at / ".lock").write_text('{"pid": 1, "host": "elsewhere"}'),
    "misplaced": lambda at: at.rename(at.parent / "moved"),
    "not-a-trajectory": lambda at: (at / "trajectory.json").unlink(),
    "task-unknown": lambda at: (at.parents[2] / "tasks.yaml").write_text("tasks: []"),
}


def _flip_line(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    lines[0] = b"\0" * 20 + b"\n"
    path.write_bytes(b"".join(lines))


@pytest.mark.parametrize("code", DAMAGE)
@pytest.mark.fault("F11")
def test_each_damage_is_named(project: Project, code: str) -> None:
    DAMAGE[code](folder(project))
    project.reload()
    before = {path: path.read_bytes() for path in project.folder.rglob("*") if path.is_file()}
    problems = check_project(project)
    assert code in {problem.code for problem in problems}
    assert all(problem.what for problem in problems)
    assert {path: path.read_bytes() for path in project.folder.rglob("*") if path.is_file()} == before


def test_a_twice_used_id_and_a_shared_folder_are_told(project: Project) -> None:
    project.save_tasks([Task("one", "Do it"), Task("ONE", "Do it"), Task("two", "", level="odd")])
    project.new_trajectory(TrajectoryHeader("t", "two")).close()
    codes = {finding.code for finding in check_project(project)}
    assert {"id-twice", "task-folder", "task-empty", "task-level"} <= codes


@pytest.mark.fault("F11")
def test_random_damage_never_raises_and_good_steps_stay_usable(project: Project) -> None:
    draw = random.Random(7)
    at = folder(project)
    files = [path for path in at.rglob("*") if path.is_file() and path.name != ".lock"]
    original = {path: path.read_bytes() for path in files}
    for _round in range(150):
        for path, data in original.items():
            path.write_bytes(data)
        path = draw.choice(files)
        data = bytearray(original[path])
        if data and draw.random() < 0.5:
            data[draw.randrange(len(data))] = draw.randrange(256)
        elif draw.random() < 0.5:
            del data[draw.randrange(len(data) + 1) :]
        else:
            data += b"\0" * 512
        path.write_bytes(data)
        problems = check_trajectory(at)
        assert all(problem.code and problem.what for problem in problems)
        try:
            stored = open_trajectory(at)
        except UserError:
            continue
        for stored_step in stored.steps:
            try:
                stored.screenshot(stored_step), stored.tree(stored_step)
            except UserError:
                continue


def test_a_password_that_is_kept_is_named_with_the_command_that_removes_it(project: Project) -> None:
    field = 'class="android.widget.EditText" bounds="[0,40][100,60]" password="true"'
    login = f'<hierarchy rotation="0"><node {field} text="••••" /></hierarchy>'.encode()
    shown = login.replace("••••".encode(), b"hunter22")
    turn = AgentTurn("I sign in", extra={"focus": [50, 50]})
    with TrajectoryWriter.open(folder(project)) as writer:
        writer.append(step(5, Type("hunter22", 8), target=None, agent=turn), png(), login)
        writer.append(step(6, Type("poster", 6), target=None), png(), xml())
        writer.append(step(7), png(), shown)
    kept = [item for item in check_trajectory(folder(project)) if item.code == "password-kept"]
    assert [item.steps for item in kept] == [(3,), (5,)]
    for item in kept:
        assert f"`waymark trajectory redact one/t {int(item.steps[0]) + 1}` removes it" in item.what
        StepRedaction(folder(project), item.steps[0]).apply()
    assert check_trajectory(folder(project)) == []


def test_events_that_cannot_be_read_are_a_finding_and_do_not_end_the_check(project: Project) -> None:
    events = folder(project) / "events.jsonl"
    events.unlink(missing_ok=True)
    events.mkdir()
    assert [(finding.code, finding.where) for finding in check_project(project)] == [
        ("lines-damaged", "trajectories/one/t/events.jsonl")
    ]


def test_a_tree_that_is_too_large_is_checked_by_its_digest_alone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "MAX_BLOB_BYTES", 10)
    assert check_project(project) == []
    _flip(folder(project) / "states/0000.xml")
    assert [finding.code for finding in check_project(project)] == ["hash-differs"]
