"""Columns say of every recorded state what the proof of one says, for any selector, condition and dump."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from collector.hierarchy.selectors import parse_selector, quote
from collector.rules.backtest.backtest import BackTest
from collector.rules.columns.column_selectors import select_nodes
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.dump_columns import DumpColumns
from collector.rules.grammar.model import INJECTION, STATE, Rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers import libyaml
from tests.helpers.dumps import hierarchy, node
from tests.helpers.memory_trajectory import MemoryTrajectory, RecordedScreen
from tests.helpers.random_corpus import STATES, random_corpus
from tests.helpers.random_rules import CLASSES, IDS, NAMES, TEXTS, random_dump

SHARED = Path(__file__).parents[5] / "shared" / "data"


def random_selector(rng: random.Random, depth: int = 0) -> str:
    name = rng.choice(NAMES)
    value = rng.choice((*TEXTS, *IDS, *CLASSES, "true"))
    sign = rng.choice(("=", "=", "=", "*=", "^=", "$="))
    text = (
        f"{name}{sign}{quote(value[:6] if sign in ('*=', '^=') else value[-4:] if sign == '$=' else value)}"
    )
    if rng.random() < 0.2:
        text += f" class={quote(rng.choice(CLASSES))}"
    if depth < 2 and rng.random() < 0.4:
        relation = rng.choice(("within", "child of", "sibling of", "holding"))
        text += f" {relation} {random_selector(rng, depth + 1)}"
    if rng.random() < 0.2:
        text += f" [{rng.randrange(1, 4)}]"
    return "//node[@checked='true']" if depth == 0 and rng.random() < 0.05 else text


def random_condition(rng: random.Random, depth: int = 0) -> dict[str, Any]:
    selector, value = random_selector(rng), rng.choice((*TEXTS, "true"))
    leaves: tuple[dict[str, Any], ...] = (
        {"type": "element_exists", "selector": selector},
        {"type": "element_not_exists", "selector": selector},
        {"type": "element_property", "selector": selector, "attribute": rng.choice(NAMES), "value": value},
        {"type": "element_property_contains", "selector": selector, "attribute": "class", "value": "Text"},
        {"type": "element_text_equals", "selector": selector, "text": value},
        {"type": "element_text_contains", "selector": selector, "text": value[:3]},
        {"type": "text_matches", "pattern": rng.choice(("[0-9]", "^D", "(", "稻|购")), "selector": selector},
        {"type": "text_matches", "pattern": "Wi.Fi"},
        {"type": "text_similar", "text": rng.choice(TEXTS), "threshold": rng.random(), "selector": selector},
        {"type": "text_similar", "text": rng.choice(TEXTS)[1:]},
        {"type": "semantic_element_exists", "keywords": rng.sample(TEXTS, 3), "threshold": rng.random()},
        {"type": "current_activity_is", "value": rng.choice((".MainActivity", "a.b.C", ""))},
        {"type": "current_package_is", "value": rng.choice(("com.example.shop", "com.example.maps"))},
        {"type": "min_step", "value": rng.randrange(5)},
        {"type": "action_was", "action": rng.choice(("tap", "type", "*")), "selector": "text='Drive'"},
        {"type": "action_was", "action": "type", "text": "po"},
        {"type": "state_reached", "state": rng.choice(("first", "second", "third"))},
        {"type": "element_exists", "selector": "text='never closed"},
        {"type": "no_such_type"},
    )
    if depth < 2 and rng.random() < 0.3:
        parts = [random_condition(rng, depth + 1) for _ in range(rng.randrange(4))]
        condition: dict[str, Any] = {rng.choice(("all", "any", "not")): parts}
    else:
        condition = dict(rng.choice(leaves))
    return {**condition, "min_step": rng.randrange(1, 5)} if rng.random() < 0.2 else condition


def assert_as_proved(rules: tuple[Rule, ...], corpus: Corpus) -> int:
    test = BackTest(corpus)
    fired = 0
    for rule in rules:
        result = test.run(rule)
        for at in range(len(corpus)):
            proof, verdicts = test.proof(rule, at), result.verdicts
            columns = (verdicts.holds[at], verdicts.deficit[at], verdicts.evidence[at])
            assert columns == (proof.holds, proof.deficit, proof.evidence), (rule, at)
            row, index = result.rows[corpus.locate(at)[0]], corpus.locate(at)[1]
            assert row.outcome(index) is proof.outcome
        fired += result.fires
    return fired


def random_rules(rng: random.Random, count: int) -> tuple[Rule, ...]:
    plain = [
        {"id": f"r{at}", "conditions": {"all": [random_condition(rng) for _ in range(rng.randrange(4))]}}
        for at in range(count)
    ]
    rules = read_rules(libyaml.safe_dump({"rules": plain}), kind=INJECTION).rules
    assert len(rules) == count
    return rules


@pytest.mark.parametrize("seed", range(10))
def test_columns_say_what_proofs_say(seed: int) -> None:
    rng = random.Random(seed)
    corpus = random_corpus(rng, [random_dump(rng) for _ in range(20)])
    assert assert_as_proved(random_rules(rng, 60), corpus)


def test_columns_say_what_proofs_say_of_real_dumps() -> None:
    if not SHARED.exists():
        pytest.skip("needs ../shared/data")
    rng = random.Random(1)
    dumps = [path.read_bytes() for path in sorted(SHARED.glob("dumps/*/dumps/*.xml"))[::3]]
    assert_as_proved(random_rules(rng, 60), random_corpus(rng, dumps))


@pytest.mark.parametrize("seed", range(10))
def test_a_selector_finds_in_columns_what_it_finds_in_trees(seed: int) -> None:
    rng = random.Random(seed)
    corpus = Corpus.of_dumps((str(at), random_dump(rng)) for at in range(12))
    dumps = DumpColumns()
    for at in range(len(corpus)):
        dumps.number_of(str(at), lambda at=at: corpus.xml(at))  # type: ignore[misc]
    columns, count = dumps.view, 0
    for _ in range(100):
        compound = parse_selector(random_selector(rng)).compound
        if compound is not None:
            nodes = select_nodes(compound, columns)
            in_tree = columns.tree_of[nodes]
            orders = nodes - columns.first[in_tree]
            places = list(zip(in_tree.tolist(), orders.tolist(), strict=True))
            trees = (corpus.view(at).tree for at in range(len(corpus)))
            assert places == [
                (at, matched.order)
                for at, tree in enumerate(trees)
                if tree
                for matched in compound.find(tree)
            ]
            count += len(places)
    assert count


def test_a_state_is_judged_by_the_dump_of_its_own_content() -> None:
    """Two states with one hash share their columns, and each dump is read from disk once."""
    same = hierarchy(node(text="Drive")).encode()
    recording = MemoryTrajectory(
        "t", [RecordedScreen(same), RecordedScreen(same), RecordedScreen(hierarchy(node(text="x")).encode())]
    )
    test = BackTest(Corpus([recording]))
    rules = read_rules(
        "- {id: r, conditions: {all: [{type: element_exists, selector: \"text='Drive'\"}]}, actions: []}"
    ).rules
    for _ in range(3):
        assert test.run(rules[0]).rows[0].outcomes == b"\x02\x02\x00"
    assert sorted(recording.read) == [0, 2]


def test_essential_states_are_reached_in_their_order() -> None:
    drive, button = (
        hierarchy(node(text="Drive")).encode(),
        hierarchy(node(class_="android.widget.Button")).encode(),
    )
    corpus = Corpus(
        [MemoryTrajectory("t", [RecordedScreen(button), RecordedScreen(drive), RecordedScreen(button)])],
        states=STATES,
    )
    assert [sorted(known.reached) for known in corpus.reached] == [[], ["first"], ["first", "second"]]
    second = next(rule for rule in STATES if rule.id == "second")
    assert second.kind == STATE
    assert BackTest(corpus).run(second).rows[0].outcomes[-1] == 2
