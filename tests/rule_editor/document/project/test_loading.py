"""Documents of a project are read together; files that are missing are empty documents."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.rules.grammar.model import INJECTION, STATE, SUCCESS
from collector.store.layout import RULE_FILES, ProjectPaths
from rule_editor.document.project.loading import load_documents
from rule_editor.document.text.errors import DocumentError

LIBRARY = "interference_library:\n  - {id: low, target_activity: LoginActivity}\n"
STATES = "states:\n  - {id: in_cart, conditions: []}\n"


@pytest.fixture
def paths(tmp_path: Path) -> ProjectPaths:
    paths = ProjectPaths(tmp_path)
    paths.rule_file(STATE).parent.mkdir()
    paths.library.parent.mkdir()
    paths.rule_file(STATE).write_text(STATES, encoding="utf-8")
    return paths


def by_kind(paths: ProjectPaths) -> dict[str, Path]:
    return {kind: paths.rule_file(kind) for kind in RULE_FILES}


def test_missing_files_are_empty_documents_and_are_not_created(paths: ProjectPaths) -> None:
    loaded = load_documents(by_kind(paths), paths.library)
    assert {kind: document.text for kind, document in loaded.rules.items()} == {
        INJECTION: "", SUCCESS: "", STATE: STATES,
    }  # fmt: skip
    assert loaded.anomalies is not None
    assert (loaded.anomalies.text, loaded.problem) == ("", None)
    assert not paths.library.exists()


def test_a_library_that_cannot_be_read_is_a_problem_and_hides_no_rules(paths: ProjectPaths) -> None:
    paths.library.write_bytes(b"\xff\xfe")
    loaded = load_documents(by_kind(paths), paths.library)
    assert loaded.anomalies is None
    assert isinstance(loaded.problem, DocumentError)
    assert [rule.id for rule in loaded.rules[STATE].rules] == ["in_cart"]


def test_outside_a_project_the_kind_is_read_from_the_file(paths: ProjectPaths) -> None:
    loaded = load_documents({"?0": paths.rule_file(STATE)}, None)
    assert list(loaded.rules) == [STATE]
    assert loaded.anomalies is None


def test_a_rule_file_that_cannot_be_read_is_an_error(paths: ProjectPaths) -> None:
    paths.rule_file(STATE).write_bytes(b"\xff\xfe")
    with pytest.raises(DocumentError, match="UTF-8"):
        load_documents(by_kind(paths), paths.library)


def test_a_library_is_read_with_its_anomalies(paths: ProjectPaths) -> None:
    paths.library.write_text(LIBRARY, encoding="utf-8")
    loaded = load_documents({}, paths.library)
    assert loaded.anomalies is not None
    assert [anomaly.id for anomaly in loaded.anomalies.library.anomalies] == ["low"]
