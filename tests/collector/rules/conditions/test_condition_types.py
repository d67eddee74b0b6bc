"""Every registered condition type is read, written, described, proved, explained and tried on states."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from collector.rules.backtest.backtest import BackTest
from collector.rules.conditions.condition_type import ConditionType
from collector.rules.evaluation.condition_semantics import (
    DgaraElementCondition,
    DgaraInjectionCondition,
    all_semantics,
)
from collector.rules.evaluation.explanation import near_nodes, reason, title
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.condition_registry import condition_specs, condition_types
from collector.rules.grammar.json_schema import schema_of
from collector.rules.grammar.model import Condition, Group, Rule
from collector.rules.grammar.plain import plain_condition
from collector.rules.grammar.rule_reader import read_rules
from collector.rules.grammar.specs import ConditionSpec
from tests.helpers import libyaml
from tests.helpers.condition_plugins import ELEMENT_COUNT, installed_condition_types
from tests.helpers.condition_samples import sample_condition
from tests.helpers.random_corpus import random_corpus
from tests.helpers.random_rules import random_dump

TYPES = [*condition_types().by_name, "element_count"]


@pytest.fixture(autouse=True)
def element_count() -> Iterator[None]:
    """The type of a package is held to the same as the built-in ones."""
    with installed_condition_types(ELEMENT_COUNT):
        yield


@pytest.fixture(params=TYPES)
def spec(request: pytest.FixtureRequest, element_count: None) -> ConditionSpec:
    return condition_specs()[request.param]


@pytest.fixture
def condition_type(spec: ConditionSpec) -> ConditionType[Condition]:
    descriptor = condition_types().by_name[spec.type]
    assert isinstance(descriptor, ConditionType)
    return descriptor


def read_condition(written: str) -> tuple[Condition, list[str]]:
    read = read_rules(f"rules:\n- {{id: r, conditions: {{all: [{written}]}}, actions: []}}\n")
    return read.rules[0].conditions.conditions[0], [diagnostic.code for diagnostic in read.diagnostics]


def test_every_type_is_registered_under_its_own_name() -> None:
    assert list(condition_specs()) == TYPES
    assert [semantics.condition.type for semantics in all_semantics()] == TYPES
    assert condition_types().problems == []


def test_its_values_are_frozen_and_its_keys_described(condition_type: ConditionType[Condition]) -> None:
    spec, cls = condition_type.spec, condition_type.condition
    assert {field.name for field in spec.fields} == set(cls.__dataclass_fields__) - {"place", "raw", "type"}
    assert spec.doc.strip()
    assert all(field.doc.strip() for field in spec.fields)
    with pytest.raises(FrozenInstanceError):
        condition_type.starter(None).min_step = 3  # type: ignore[misc]


def test_its_example_and_its_starter_are_read_and_written_back(
    condition_type: ConditionType[Condition],
) -> None:
    seen = StateView(package="com.example.shop", activity=".MainActivity")
    for starter in (condition_type.starter(None), condition_type.starter(seen)):
        assert type(starter) is condition_type.condition
        written = libyaml.safe_dump(plain_condition(starter), default_flow_style=True, width=1000)
        assert read_condition(written.strip()) == (starter, [])
    example, codes = read_condition(condition_type.example)
    assert (type(example), codes) == (condition_type.condition, [])
    again = libyaml.safe_dump(plain_condition(example), default_flow_style=True, width=1000).strip()
    assert read_condition(again) == (example, [])


def test_it_is_in_the_schema(spec: ConditionSpec) -> None:
    described = schema_of()["$defs"][spec.type]
    assert {field.name for field in spec.fields} <= set(described["properties"])
    assert described["required"] == ["type", *(field.name for field in spec.fields if field.required)]
    assert spec.type in schema_of()["$defs"]["condition"]["properties"]["type"]["enum"]


@pytest.mark.parametrize("seed", range(3))
def test_its_columns_say_what_its_proofs_say(spec: ConditionSpec, seed: int) -> None:
    rng = random.Random(f"{seed} {spec.type}")
    corpus = random_corpus(rng, [random_dump(rng) for _ in range(20)])
    test = BackTest(corpus)
    for _ in range(30):
        condition, _codes = read_condition(
            libyaml.safe_dump(sample_condition(rng, spec), default_flow_style=True, width=1000).strip()
        )
        assert condition.type == spec.type
        result = test.run(Rule(id="r", kind="state", conditions=Group(conditions=(condition,))))
        for position in range(len(corpus)):
            proof = prove(condition, corpus.view(position))
            verdicts = result.verdicts
            columns = (verdicts.holds[position], verdicts.deficit[position], verdicts.evidence[position])
            assert columns == (proof.holds, proof.deficit, proof.evidence), (condition, position)
            unseen = verdicts.unseen is not None and verdicts.unseen[position]
            assert unseen == proof.unseen, (condition, position)


def test_it_explains_where_it_holds_and_where_it_does_not(spec: ConditionSpec) -> None:
    sentences: dict[bool, str] = {}
    for proof, view in proofs(spec):
        sentence = reason(proof, view)
        assert sentence.strip()
        assert not sentence.endswith(".")
        assert all(node in view.nodes for node, _tag in near_nodes(proof, view))
        assert title(proof.condition).startswith(spec.type)
        sentences[proof.holds] = sentence
    missed = {False} if spec.type in ("image_matches", "app_data") else {True, False}  # their own tests
    assert set(sentences) == missed


def proofs(spec: ConditionSpec) -> Iterator[tuple[Proof, StateView]]:
    rng = random.Random(spec.type)
    corpus = random_corpus(rng, [random_dump(rng) for _ in range(20)])
    for _ in range(30):
        condition, _codes = read_condition(
            libyaml.safe_dump(sample_condition(rng, spec), default_flow_style=True, width=1000).strip()
        )
        for position in range(len(corpus)):
            view = corpus.view(position)
            yield prove(condition, view), view


def test_its_origin_is_what_its_reading_by_dgara_says(condition_type: ConditionType[Condition]) -> None:
    expected = {
        "injection": DgaraInjectionCondition,
        "success": DgaraElementCondition,
        "waymark": type(None),
    }
    assert isinstance(condition_type.dgara, expected[condition_type.origin])


def test_a_built_in_type_is_in_the_reference(spec: ConditionSpec) -> None:
    reference = (Path(__file__).parents[4] / "docs" / "rules.md").read_text("utf-8")
    assert (f"### {spec.type}\n" in reference) == (spec.type != "element_count")
