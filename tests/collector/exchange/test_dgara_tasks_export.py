"""Tasks exported as a D-GARA list come back the same; what the list cannot hold is reported."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.exchange.errors import ExchangeError
from collector.exchange.exports.exporting import export_project
from collector.exchange.imports.importing import import_into
from collector.model.task import Task
from collector.store.project.project import Project

_TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zs"]), min_size=1, max_size=12).filter(
    lambda text: text.strip() == text and text not in ("", "~")
)
_LOST = ("level", "note", "max_steps", "human_validation")
_KEY = st.text("abcxyz_", min_size=3, max_size=8).filter(lambda key: key not in Task.__slots__)
_TASK = st.builds(
    Task,
    id=st.integers(0, 999).map(str),
    instruction=_TEXT,
    package=st.just("") | _TEXT,
    rule_key=st.just("") | _TEXT,
    target_rule_ids=st.lists(_TEXT, max_size=3).map(tuple),
    extra=st.dictionaries(_KEY, st.integers(-9, 9) | st.booleans() | _TEXT, max_size=2),
)


@settings(max_examples=20, deadline=None)
@given(st.lists(_TASK, min_size=1, max_size=4, unique_by=lambda task: task.id))
def test_import_export_import_gives_the_same_tasks(tasks: list[Task]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        first = Project.create(Path(folder) / "first")
        first.save_tasks(tasks)
        result = export_project(first, "dgara-tasks", Path(folder) / "tasks.json")
        assert [finding.code for finding in result.findings] == ["tasks-only"]
        second = Project.create(Path(folder) / "second")
        import_into(second, result.path, "dgara-tasks")
        assert Project.open(second.folder).tasks == tuple(tasks)


def test_the_list_has_the_keys_of_dgara(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks([Task("7", "Buy", package="shop", rule_key="buy", target_rule_ids=("r",))])
    path = export_project(project, "dgara-tasks", tmp_path / "tasks.json").path
    assert json.loads(path.read_text("utf-8")) == [
        {"id": 7, "description": "Buy", "app": "shop", "rule_key": "buy", "target_rule_ids": ["r"]}
    ]


def test_what_the_list_cannot_hold_is_reported(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    project.save_tasks(
        [
            Task("a", "Buy", level="hard", rule_key="k", human_validation=True),
            Task("b", "Sell", note="n", max_steps=3),
        ]
    )
    result = export_project(project, "dgara-tasks", tmp_path / "tasks.json")
    assert [entry["id"] for entry in json.loads(result.path.read_text("utf-8"))] == [1, 2]
    findings = result.findings
    assert [finding.steps for finding in findings if finding.code == "task-numbered"] == [("a > 1", "b > 2")]
    lost = {finding.what: finding.steps for finding in findings if finding.code == "field-lost"}
    assert {name: steps for text, steps in lost.items() for name in _LOST if name in text} == {
        "level": ("a",),
        "human_validation": ("a",),
        "note": ("b",),
        "max_steps": ("b",),
    }


def test_the_placeholder_of_dgara_says_that_a_person_judges(tmp_path: Path) -> None:
    path = tmp_path / "tasks.json"
    entry = {
        "id": 7,
        "description": "Buy",
        "app": "shop",
        "rule_key": "human_validation",
        "target_rule_ids": [],
    }
    path.write_text(json.dumps([entry]), "utf-8")
    project = Project.create(tmp_path / "p")
    import_into(project, path)
    assert (project.tasks[0].human_validation, project.tasks[0].rule_key) == (True, "")
    result = export_project(project, "dgara-tasks", tmp_path / "out.json")
    assert json.loads(result.path.read_text("utf-8")) == [entry]
    assert [finding.code for finding in result.findings] == ["tasks-only"]


def test_an_export_replaces_no_file(tmp_path: Path) -> None:
    project = Project.create(tmp_path / "p")
    (tmp_path / "tasks.json").write_text("mine", "utf-8")
    with pytest.raises(ExchangeError, match="already"):
        export_project(project, "dgara-tasks", tmp_path / "tasks.json")
    with pytest.raises(ExchangeError, match="no format"):
        export_project(project, "nope", tmp_path / "other.json")
    assert (tmp_path / "tasks.json").read_text("utf-8") == "mine"
