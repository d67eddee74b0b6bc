"""The published schemas take what the reader takes, and are those of the grammar."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.json_schema import schema_of
from collector.rules.grammar.model import INJECTION, KINDS, SAFETY, STATE, SUCCESS
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers import libyaml
from tests.helpers.json_schema import fits
from tests.helpers.scripts import script

SHARED = Path(__file__).resolve().parents[5] / "shared" / "data" / "d-gara"
GOOD = {
    INJECTION: "rules: [{id: a, priority: 1, once: false, conditions: {all: [%s], min_step: 2},"
    " actions: [{type: inject_interference, interference_id: b}], follow_up: {accept: home}}]",
    SUCCESS: "a: {description: d, conditions: [%s]}",
    SAFETY: "safety: [{id: a, description: d, every_task: true, conditions: [%s]}]",
    STATE: "states: [{id: a, task: t, after: [b], optional: true, conditions: [%s]}]",
}
WRONG = (
    "{type: no_such}", "{type: element_exists}", "{type: element_exists, selector: [a]}", "5",
    "{selector: a}",
    "{type: semantic_element_exists, keywords: a}", "{type: min_step, value: soon}", "{some: []}",
    "{type: semantic_element_exists, keywords: [a], match_threshold: 7}", "{all: [{type: no_such}]}",
    "{type: element_exists, selector: a, extra: 1}",
)  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_every_example_of_the_grammar_fits(kind: str) -> None:
    examples = [spec.example for spec in condition_specs().values()]
    nested = [*examples, "{any: [%s], min_step: 3}" % examples[0], "{not: [{all: [%s]}]}" % examples[1]]  # noqa: UP031
    nested.append("{type: any_of, sub_conditions: [%s]}" % examples[2])  # noqa: UP031
    for example in nested:
        text = GOOD[kind] % example
        assert not [
            diagnostic
            for diagnostic in read_rules(text, kind=kind).diagnostics
            if diagnostic.severity == "error"
        ], text
        assert fits(libyaml.safe_load(text), schema_of(kind)), text
        assert fits(libyaml.safe_load(text), schema_of()), text


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("wrong", WRONG)
def test_what_the_reader_refuses_does_not_fit(kind: str, wrong: str) -> None:
    text = GOOD[kind] % wrong
    assert read_rules(text, kind=kind).diagnostics
    assert not fits(libyaml.safe_load(text), schema_of(kind))


@pytest.mark.parametrize(("name", "kind"), [("rules.yaml", INJECTION), ("success_conditions.yaml", SUCCESS)])
def test_dgaras_own_files_fit(name: str, kind: str) -> None:
    if not SHARED.is_dir():
        pytest.skip("D-GARA's files are not here")
    assert fits(libyaml.safe_load((SHARED / name).read_text(encoding="utf-8")), schema_of(kind))


def test_the_published_schemas_are_in_step() -> None:
    for path, text in script("docs", "rule_tables").schemas():
        assert path.read_text(encoding="utf-8") == text, "stale: run make docs"
