"""Documents of a project are read together; files that are missing are empty documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.located_yaml.yaml_patch.errors import DocumentError
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS
from collector.store.files.layout import ProjectPaths
from rule_editor.document.project.loading import load_documents

LIBRARY = "interference_library:\n  - {id: low, target_activity: LoginActivity}\n"
STATES = "states:\n  - {id: in_cart, conditions: []}\n"


@pytest.fixture
def paths(tmp_path: Path) -> ProjectPaths:
    paths = ProjectPaths(tmp_path)
    paths.rule_file(STATE).parent.mkdir()
    paths.library.parent.mkdir()
    paths.rule_file(STATE).write_text(STATES, encoding="utf-8")
    return paths


def test_missing_files_are_empty_documents_and_are_not_created(paths: ProjectPaths) -> None:
    loaded = load_documents(paths.editable_rule_files(), paths.library)
    assert [(document.kind, document.text) for document in loaded.rules] == [
        (INJECTION, ""), (SUCCESS, ""), (STATE, STATES), (SAFETY, ""),
    ]  # fmt: skip
    assert loaded.anomalies is not None
    assert (loaded.anomalies.text, loaded.problems) == ("", {})
    assert not paths.library.exists()


def test_a_library_that_cannot_be_read_is_a_problem_and_hides_no_rules(paths: ProjectPaths) -> None:
    paths.library.write_bytes(b"\xff\xfe")
    loaded = load_documents(paths.editable_rule_files(), paths.library)
    assert loaded.anomalies is None
    assert [type(problem) for problem in loaded.problems.values()] == [DocumentError]
    assert [rule.id for document in loaded.rules for rule in document.rules] == ["in_cart"]


def test_every_rule_file_of_a_project_is_opened_behind_the_usual_one_of_its_kind(paths: ProjectPaths) -> None:
    folder = paths.rule_file(STATE).parent
    (folder / "a_travel.yaml").write_text("rules:\n  - {id: fly, conditions: []}\n", encoding="utf-8")
    (folder / "b_done.yaml").write_text("booked:\n  conditions: []\n", encoding="utf-8")
    loaded = load_documents(paths.editable_rule_files(), None)
    assert [(document.kind, Path(document.path).name) for document in loaded.rules] == [
        (INJECTION, "injection.yaml"), (INJECTION, "a_travel.yaml"),
        (SUCCESS, "success.yaml"), (SUCCESS, "b_done.yaml"), (STATE, "states.yaml"),
        (SAFETY, "safety.yaml"),
    ]  # fmt: skip


def test_outside_a_project_the_kind_is_read_from_the_file(paths: ProjectPaths) -> None:
    loaded = load_documents([(paths.rule_file(STATE), "")], None)
    assert [document.kind for document in loaded.rules] == [STATE]
    assert loaded.anomalies is None


def test_a_rule_file_that_cannot_be_read_is_a_problem_and_hides_no_other(paths: ProjectPaths) -> None:
    paths.rule_file(STATE).write_bytes(b"\xff\xfe")
    loaded = load_documents(paths.editable_rule_files(), paths.library)
    assert [document.kind for document in loaded.rules] == [INJECTION, SUCCESS, SAFETY]
    assert ["UTF-8" in str(problem) for problem in loaded.problems.values()] == [True]


def test_a_library_is_read_with_its_anomalies(paths: ProjectPaths) -> None:
    paths.library.write_text(LIBRARY, encoding="utf-8")
    loaded = load_documents([], paths.library)
    assert loaded.anomalies is not None
    assert [anomaly.id for anomaly in loaded.anomalies.library.anomalies] == ["low"]
