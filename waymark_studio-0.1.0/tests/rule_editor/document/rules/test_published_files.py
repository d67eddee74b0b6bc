"""D-GARA's own files open without loss, save to the byte, and can be edited everywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.model.errors import UserError
from collector.rules.conditions.min_step import MinStep
from rule_editor.document.rules.rule_document import RuleDocument
from rule_editor.document.text.text_document import TextDocument, read_text

DATA = Path(__file__).parents[5] / "shared" / "data" / "d-gara"
NAMES = ("rules.yaml", "success_conditions.yaml")


@pytest.fixture(autouse=True)
def _published() -> None:
    if not DATA.exists():
        pytest.skip("needs ../shared/data")


@pytest.mark.parametrize("name", [*NAMES, "interference_library.yaml"])
def test_nothing_changed_is_nothing_written(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes((DATA / name).read_bytes())
    before = path.stat().st_mtime_ns
    document = RuleDocument.load(path) if name in NAMES else TextDocument(read_text(path), str(path))
    assert not document.dirty
    assert not document.save()
    assert path.stat().st_mtime_ns == before
    document.replace(0, 0, "# a comment\n")
    assert document.save()
    document.undo()
    assert document.dirty
    assert document.save()
    assert path.read_bytes() == (DATA / name).read_bytes()


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_can_be_edited_and_no_other_line_changes(name: str) -> None:
    document = RuleDocument.load(DATA / name)
    text = document.text
    for rule in document.rules[::4]:
        document.add_condition(rule.id, (), MinStep(value=4))
        document.set_field(rule.id, "description", "changed")
        edited = document.file.rule(rule.id)
        assert edited is not None
        assert edited.conditions.conditions == (*rule.conditions.conditions, MinStep(value=4))
        place = edited.place
        before, after = document.text[: place.start], document.text[place.end :].lstrip()
        assert text.startswith(before)
        assert text.endswith(after)
        document.undo()
        document.undo()
        assert document.text == text


@pytest.mark.parametrize("name", NAMES)
def test_every_condition_can_go_and_change_places(name: str) -> None:
    document = RuleDocument.load(DATA / name)
    text = document.text
    refused = 0
    for rule in document.rules:
        last = len(rule.conditions.conditions) - 1
        try:
            document.move_condition(rule.id, (last,), (), 0)
            moved = document.file.rule(rule.id)
            assert moved is not None
            assert moved.conditions.conditions[0] == rule.conditions.conditions[last]
            document.delete_condition(rule.id, (0,))
        except UserError:
            refused += 1
        while document.undo():
            pass
        assert document.text == text
    assert refused == 0


def test_the_linter_finds_as_much_after_an_edit_was_undone() -> None:
    document = RuleDocument.load(DATA / "rules.yaml")
    before = document.diagnostics
    document.delete_rule(document.rules[3].id)
    document.undo()
    assert document.diagnostics == before
