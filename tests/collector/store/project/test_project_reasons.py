"""The reasons of ``project.yaml``: defaults, edits that keep comments, and names that keep their ids."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.judge.votes.reason_edits import add_reason, move_reason, remove_reason, rename_reason
from collector.model.errors import UserError
from collector.model.verdicts.failure_reason import (
    DEFAULT_REASONS,
    FailureReason,
    find_reason,
    reason_id,
    reason_text,
)
from collector.store.files.errors import Damaged
from collector.store.project.project import Project
from collector.store.project.project_reasons import read_project_reasons

FILE = """format: waymark-project
version: 2
name: p
reasons:
  # what the agent saw
  - id: wrong-element
    name: Wrong element  # A3
    owner: lin
  - Took too long
  - id: loop
    name: Loops
    description: The same again
"""


@pytest.fixture
def project(tmp_path: Path) -> Project:
    project = Project.create(tmp_path / "p")
    project.paths.settings.write_text(FILE, encoding="utf-8")
    return Project.open(project.folder)


def test_a_project_without_the_key_has_the_default_reasons_and_keeps_an_edited_copy(tmp_path):
    project = Project.create(tmp_path / "p")
    assert project.reasons == DEFAULT_REASONS
    assert len({reason.id for reason in DEFAULT_REASONS}) == len(DEFAULT_REASONS)
    assert all(reason.name and reason.description for reason in DEFAULT_REASONS)
    project.set_reasons(rename_reason(project.reasons, "wrong-element", "Clicks beside it"))
    stored = Project.open(project.folder).reasons
    assert reason_text("wrong-element", stored) == "Clicks beside it"
    assert [reason.id for reason in stored] == [reason.id for reason in DEFAULT_REASONS]


def test_edits_keep_comments_other_keys_and_ids(project):
    assert [(reason.id, reason.name) for reason in project.reasons] == [
        ("wrong-element", "Wrong element"), ("took-too-long", "Took too long"), ("loop", "Loops"),
    ]  # fmt: skip
    project.set_reasons(rename_reason(project.reasons, "Took too long", "Too slow: yes"))
    project.set_reasons(add_reason(project.reasons, "点错了"))
    text = project.paths.settings.read_text(encoding="utf-8")
    assert "# what the agent saw" in text
    assert "name: Wrong element  # A3\n    owner: lin" in text
    assert Project.open(project.folder).reasons == (
        FailureReason("wrong-element", "Wrong element"), FailureReason("took-too-long", "Too slow: yes"),
        FailureReason("loop", "Loops", "The same again"), FailureReason("点错了", "点错了"),
    )  # fmt: skip
    project.set_reasons(move_reason(project.reasons, "loop", -9))
    project.set_reasons(remove_reason(project.reasons, "点错了"))
    assert [reason.id for reason in Project.open(project.folder).reasons] == [
        "loop",
        "wrong-element",
        "took-too-long",
    ]
    assert "owner: lin" in project.paths.settings.read_text(encoding="utf-8")
    assert reason_text("点错了", project.reasons) == "点错了"  # an old verdict stays readable


@pytest.mark.parametrize(
    "value", ["text", [3], [{}], [{"id": 4}], [{"name": ["x"]}], ["a", "A"], [{"id": "a"}, {"id": "a"}], [""]]
)
def test_a_list_written_wrongly_is_refused_in_one_sentence(value):
    with pytest.raises(Damaged):
        read_project_reasons(value)


def test_names_are_unique_and_ids_are_free(project):
    for name in ("", "  ", "loops", " LOOPS "):
        with pytest.raises(UserError):
            add_reason(project.reasons, name)
    with pytest.raises(UserError):
        rename_reason(project.reasons, "loop", "Wrong  element")
    with pytest.raises(UserError):
        remove_reason(project.reasons, "unknown")
    with pytest.raises(ValueError, match="Loops"):
        project.set_reasons((*project.reasons, FailureReason("other", "Loops")))
    assert rename_reason(project.reasons, "loop", "Loops") == project.reasons
    assert (reason_id("  Wrong / Element! "), reason_id("loop", ["loop"]), reason_id("!?")) == (
        "wrong-element", "loop-2", "reason",
    )  # fmt: skip
    assert find_reason("LOOPS", project.reasons).id == "loop"
    assert find_reason("nothing", project.reasons) is None
