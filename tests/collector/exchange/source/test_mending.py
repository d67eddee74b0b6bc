"""Whatever values an import brings, the project opens afterwards, keeps its own, and the report says so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.exchange.exchange_log import ExchangeLog
from collector.exchange.imports.importing import ImportResult, import_into
from collector.exchange.source.mending import mend_task
from collector.located_yaml import safe_load
from collector.model.action import Invalid
from collector.model.task import Task
from collector.store.catalogue.catalogue import Catalogue
from collector.store.checks.check import check_project
from collector.store.files.errors import StoreError
from collector.store.files.findings import ERROR
from collector.store.files.yaml_files import parse
from collector.store.project.project import Project
from collector.store.tasks import task_file
from collector.store.tasks.task_file import check_task, new_file
from collector.store.trajectory.reader import open_trajectory
from tests.helpers.steps import png
from tests.helpers.tasks import put_task

OWN = Task("own", "What the project had before", extra={"mine": [1, "yes"]})


def import_tasks(folder: Path, *entries: dict[str, Any]) -> tuple[Project, ImportResult]:
    """Import entries of D-GARA's task list; the project is opened anew."""
    project = Project.create(folder / "p")
    put_task(project, OWN)
    source = folder / "list.json"
    source.write_text(json.dumps([{"rule_key": "", **entry} for entry in entries]))
    result = import_into(project, source)
    opened = Project.open(project.folder)
    assert opened.tasks == project.tasks
    assert opened.task("own") == OWN
    with Catalogue(opened) as catalogue:
        catalogue.refresh()
    assert not any(finding.severity == ERROR for finding in check_project(opened))
    return opened, result


@pytest.mark.parametrize(
    ("entry", "kept", "code"),
    [
        ({"id": "a", "description": "x \ud83d y"}, Task("a", "x \ufffd y"), "half-characters"),
        ({"id": "a", "description": "\ud83d\ude00"}, Task("a", "\U0001f600"), ""),
        ({"id": "", "description": "x"}, Task("list", "x"), "id-mended"),
        ({"id": " \t", "description": "x"}, Task("list", "x"), "id-mended"),
        ({"id": "\u2028", "description": "x\u2028\x85y"}, Task("list", "x\u2028\x85y"), "id-mended"),
        ({"id": "a\x00b", "description": "\x01"}, Task("a b", "\x01"), "id-mended"),
        ({"id": "yes", "description": "1:30"}, Task("yes", "1:30"), ""),
        ({"id": "a", "description": "x", "max_steps": "many", "instruction": ["q"]},
         Task("a", "x", extra={"source_max_steps": "many", "source_instruction": ["q"]}), "key-renamed"),
        ({"id": "a", "description": "x", "n": float("nan"), "i": [float("-inf")]},
         Task("a", "x", extra={"n": "nan", "i": ["-inf"]}), "number-as-text"),
        ({"id": "a", "description": "x", "n": 1e-7, "<<": "=", "on": "0o7"},
         Task("a", "x", extra={"n": 1e-7, "<<": "=", "on": "0o7"}), ""),
        ({"id": "a", "description": "x" * 200_000}, Task("a", "x" * 100_000), "text-cut"),
        ({"id": True, "description": "x"}, None, "task-incomplete"),
        ({"id": ["a"], "description": "x"}, None, "task-incomplete"),
    ],
)  # fmt: skip
def test_a_bad_entry_is_mended_or_left_out(
    tmp_path: Path, entry: dict[str, Any], kept: Task | None, code: str
) -> None:
    project, result = import_tasks(tmp_path, entry, {"id": "good", "description": "y"})
    assert [task for task in project.tasks if task.id not in ("own", "good")] == ([kept] if kept else [])
    assert project.task("good")
    assert {finding.code for finding in result.findings} == ({code} if code else set())


def test_an_id_of_any_length_and_a_list_of_any_depth_are_cut(tmp_path: Path) -> None:
    deep = json.loads("[" * 300 + "]" * 300)
    project, result = import_tasks(tmp_path, {"id": "i" * 9000, "description": "x", "deep": deep})
    assert {finding.code for finding in result.findings} == {"id-mended", "too-deep"}
    assert [len(task_id) for task_id in result.tasks] == [109]
    assert project.task(result.tasks[0])


def test_more_tasks_than_a_file_can_hold_leave_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (safe_load, task_file):
        monkeypatch.setattr(module, "MAX_BYTES", 1 << 20)
    entries = [{"id": str(number), "description": f"{number} " + "x" * 99_000} for number in range(12)]
    with pytest.raises(StoreError, match=r"could not be read again: the limit is 1 MB\. .* as it was"):
        import_tasks(tmp_path, *entries)
    assert Project.open(tmp_path / "p").tasks == (OWN,)


def test_an_edit_that_could_not_be_read_again_is_refused(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    put_task(project, OWN)
    for task in (Task("a", "\ud83d"), Task(" ", "x"), Task("b", "x", max_steps="many")):  # type: ignore[arg-type]
        with pytest.raises(StoreError, match="could not be read again"):
            put_task(project, task)
        assert Project.open(project.folder).tasks == (OWN,) == project.tasks
    many = [Task(f"t{number}", "Do " + "this " * 200) for number in range(140)]
    project.save_tasks(many)  # more than is read back whole
    with pytest.raises(StoreError, match="'t3' is not saved"):
        put_task(project, Task("t3", "x", extra={"set": {1, 2}, "pair": ("a", 1)}))
    assert Project.open(project.folder).tasks == tuple(many)


@given(st.text(), st.text(), st.dictionaries(st.text(), st.text() | st.floats() | st.integers()))
def test_every_mended_task_reads_back(task_id: str, instruction: str, extra: dict[str, Any]) -> None:
    check_task(mend_task(Task(task_id, instruction, extra=extra), "source", ExchangeLog()))


@pytest.mark.parametrize(
    "text", ["on", "No", "~", "1_0", "12:30:45", "2024-01-01", "0x1", "<<", "=", "\u2029"]
)
def test_texts_that_yaml_takes_for_something_else_are_quoted(text: str) -> None:
    document = parse(new_file((Task("a", text, extra={"k": [text], text: 1}),)), "tasks.yaml")
    assert document["tasks"][0] == {"id": "a", "instruction": text, "k": [text], text: 1}


def test_texts_of_a_trajectory_are_mended_too(tmp_path: Path) -> None:
    project, source = Project.create(tmp_path / "p"), tmp_path / "base-one"
    source.mkdir()
    lines = [
        {"type": "task_start", "task_id": "half \ud800", "device_id": "\udfff", "timestamp": 1e300},
        {"type": "agent_decision_vlm", "step": 0, "timestamp": 1e308,
         "decision": {"action": "type", "input_text": "\ud800", "thought": "\ud800", "coords": [10**400]}},
        {"type": "said", "timestamp": 2e300, "kind": 3, "t_ms": "x", "self": 1, "text": ["\ud800", 1e999]},
    ]  # fmt: skip
    (source / "eva_log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (source / "0_screen.png").write_bytes(png())
    result = import_into(project, source)
    assert {"half-characters", "number-as-text"} <= {finding.code for finding in result.findings}
    data = b"".join(path.read_bytes() for path in result.folders[0].glob("*.json*"))
    assert b"\\ud8" not in data
    assert b"Infinity" not in data
    with Catalogue(Project.open(project.folder)) as catalogue:
        catalogue.refresh()
        assert [row.problem for row in catalogue.find()] == [""]


def test_a_password_in_dots_keeps_no_length(tmp_path: Path) -> None:
    lines = [
        {"type": "agent_decision_vlm", "step": 0, "timestamp": 1,
         "decision": {"action": "type", "input_text": "*" * 11, "thought": "so"}},
    ]  # fmt: skip
    source = tmp_path / "base-one"
    source.mkdir()
    (source / "eva_log.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (source / "0_screen.png").write_bytes(png())
    folder = import_into(Project.create(tmp_path / "p"), source).folders[0]
    text = (folder / "steps.jsonl").read_text("utf-8")
    assert '"text":"","length":0,"redacted":true' in text
    assert "*******" not in text
    assert "Type a hidden text" in text


def test_an_agents_action_beyond_any_screen_is_invalid(tmp_path: Path) -> None:
    line = {"type": "agent_decision_vlm", "step": 0, "timestamp": 1,
            "decision": {"action": "tap", "coords": [1e30, 1]}}  # fmt: skip
    source = tmp_path / "base-one"
    source.mkdir()
    (source / "eva_log.jsonl").write_text(json.dumps(line))
    (source / "0_screen.png").write_bytes(png())
    result = import_into(Project.create(tmp_path / "p"), source)
    (step,) = open_trajectory(result.folders[0]).steps
    assert isinstance(step.action, Invalid)
    assert step.action.problem == "hallucinated"
    assert step.agent is not None
    assert step.agent.predicted == step.action
    assert "1e+30" in step.action.raw
    assert "action-unknown" in {finding.code for finding in result.losses}
