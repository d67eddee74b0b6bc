"""AITK's tasks.jsonl: into any project without a finding, and out again line by line."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from collector.cli.main import main
from collector.exchange.exports.exporting import export_project
from collector.exchange.imports.importing import import_into
from collector.model.expected_answer import ExpectedAnswer
from collector.model.task import Task
from collector.project_check.project_check import check_every_file
from collector.store.project.project import Project
from collector.store.tasks.state_file import StateChange

REAL = Path(__file__).resolve().parents[5] / "shared/data/trajectories/AITK-tasks/tasks/tasks.jsonl"
STATES = """\
# Ours
states:
  - id: cart_open   # by hand
    description: Expense create page is opened
    task: shop
    conditions: {all: [{type: min_step, value: 2}]}
"""


def aitk(name: str, *states: str, **more: Any) -> dict[str, Any]:
    line = {
        "name": name, "task": f"Do {name}", "level": "easy", "category": "operation", "max_steps": 15,
        "app": "cnn", "app_package": "com.cnn",
    }  # fmt: skip
    return {**line, "essential states": json.dumps(list(states), ensure_ascii=False), **more}


def source(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "tasks.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
    return path


def project_with_states(folder: Path) -> Project:
    project = Project.create(folder)
    project.save_tasks([Task("shop", "Buy", golden_wanted=0, essential_states=("cart_open",))])
    (folder / "rules").mkdir()
    (folder / "rules/states.yaml").write_text(STATES, encoding="utf-8")
    return Project.open(folder)


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_the_hundred_tasks_of_aitk_go_in_without_a_finding_and_out_as_they_were(tmp_path: Path) -> None:
    if not REAL.is_file():
        pytest.skip("AITK's tasks are not here")
    project = project_with_states(tmp_path / "p")
    result = import_into(project, REAL)
    assert (len(result.tasks), result.findings) == (100, [])
    tasks = Project.open(project.folder).tasks[1:]
    ids = [state_id for task in tasks for state_id in task.essential_states]
    assert (len(ids), len(set(ids))) == (313, 313)
    assert [finding for finding in check_every_file(project) if "states" in finding.where] == []
    assert check_every_file(project) == []
    assert (project.folder / "rules/states.yaml").read_text(encoding="utf-8").startswith(STATES)
    exported = export_project(project, "aitk-tasks", tmp_path / "out.jsonl")
    assert {finding.code for finding in exported.findings} == {"tasks-only", "field-lost", "state-lost"}
    assert {finding.steps for finding in exported.findings[1:]} == {("shop",), ("cart_open",)}
    assert {finding.where for finding in exported.findings} <= {"out.jsonl", ""}
    written = (tmp_path / "out.jsonl").read_text(encoding="utf-8").splitlines()
    assert written[1:] == REAL.read_text(encoding="utf-8").splitlines()
    again = import_into(Project.open(project.folder), REAL)
    assert {finding.code for finding in again.findings} == {"task-there"}
    assert len(Project.open(project.folder).states) == 314


def test_values_of_another_form_go_out_as_they_came_until_they_are_changed(tmp_path: Path) -> None:
    """Values as no task holds them: spaces, other types, other spellings, keys of others, another order."""
    odd = [
        aitk("a ", "One", max_steps=-1, note="a key of ours", lab=[1, {"x": None}]),
        aitk("b", **{"essential states": "['It\\'s on', \"Two\"]"}),
        dict(reversed(aitk("c", "One", level=None).items())),
        {"name": "d", "task": "Documented", "essential_states": ["One"], "app_package": "com.d"},
        aitk("e", "One", type="process", language="en", human_validation=True,
             expected_answer={"rule": "any of", "texts": ["a", "b"]}),
        aitk("f", "One", "One", type=["of", "a", "lab"]),
    ]  # fmt: skip
    project = Project.create(tmp_path / "p")
    import_into(project, source(tmp_path, *odd), "aitk-tasks")
    out = export_project(project, "aitk-tasks", tmp_path / "out.jsonl").path
    assert [json.dumps(line) for line in lines_of(out)] == [json.dumps(line) for line in odd]
    e = project.task("e")
    assert e is not None
    assert (e.type, e.language, e.human_validation) == ("process", "en", True)
    assert e.expected_answer == ExpectedAnswer(("a", "b"), "any of")
    changes = [
        StateChange(state, replace(state, sentence="Is on"))
        for state in project.states.values()
        if state.sentence == "It's on"
    ]
    tasks = [replace(task, max_steps=7) if task.id == "a" else task for task in project.tasks]
    project.save_tasks(tasks, states=changes)
    (tmp_path / "out.jsonl").unlink()
    first, second, *_others = lines_of(export_project(project, "aitk-tasks", out).path)
    assert (first["name"], first["max_steps"], first["note"]) == ("a ", 7, "a key of ours")
    assert json.loads(second["essential states"]) == ["Is on", "Two"]


TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=12)
LINE = st.fixed_dictionaries(
    {
        "name": st.text("abc-1 ", min_size=1, max_size=4).filter(lambda name: bool(name.strip())),
        "task": TEXT,
        "app_package": TEXT,
    },
    optional={
        "level": TEXT | st.none(),
        "category": TEXT,
        "max_steps": st.integers(-2, 40) | st.booleans() | TEXT,
        "app": TEXT,
        "essential states": st.lists(TEXT, max_size=3).map(json.dumps) | st.lists(TEXT, max_size=2).map(str),
        "essential_states": st.lists(TEXT, max_size=2),
        "language": TEXT | st.integers(-9, 9),
        "lab": st.integers(-9, 9) | TEXT | st.lists(TEXT, max_size=2),
    },
)


@settings(max_examples=12, deadline=None, phases=(Phase.explicit, Phase.reuse, Phase.generate))
@given(st.lists(LINE, min_size=1, max_size=3, unique_by=lambda line: line["name"].strip()))
def test_import_export_import_gives_the_same(lines: list[dict[str, Any]]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first, second = Project.create(folder / "first"), Project.create(folder / "second")
        import_into(first, source(folder, *lines), "aitk-tasks")
        out = export_project(first, "aitk-tasks", folder / "out.jsonl").path
        assert lines_of(out) == lines
        import_into(second, out, "aitk-tasks")
        assert second.tasks == first.tasks
        assert second.states == first.states


def test_the_command_line_exports_what_it_imported(tmp_path: Path) -> None:
    path, folder = source(tmp_path, aitk("a", "One", "二")), tmp_path / "p"
    for arguments in (
        ("new", folder), ("import", "aitk-tasks", path, "--project", folder), ("check", folder),
        ("export", "aitk-tasks", tmp_path / "out.jsonl", "--project", folder),
    ):  # fmt: skip
        assert main(["project", *map(str, arguments)]) == 0
    assert (tmp_path / "out.jsonl").read_bytes() == path.read_bytes()
