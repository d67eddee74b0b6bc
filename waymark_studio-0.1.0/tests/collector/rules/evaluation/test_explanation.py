"""Every clause is explained by what stands on the screen, and a miss by what came nearest."""

from __future__ import annotations

from typing import Any

import pytest

from collector.hierarchy.parse import parse_tree
from collector.model.action import Tap, Type
from collector.model.trajectory import Target
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.evaluation.dgara_semantics import prove_dgara
from collector.rules.evaluation.explanation import matching_nodes, near_nodes, reason, title
from collector.rules.evaluation.proof import Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.evaluation.waymark_semantics import prove
from collector.rules.grammar.model import INJECTION, SUCCESS, Condition, Group, Rule
from collector.rules.grammar.rule_reader import read_rules
from tests.helpers.dumps import hierarchy, node

DUMP = hierarchy(
    node(
        node(text="Sort", class_="android.widget.Button", bounds="[0,0][10,10]"),
        node(text="Filter", resource_id="app:id/filter", checked="true"),
        node(node(text="Buy", resource_id="app:id/buy"), resource_id="app:id/bar"),
        text="Retro travel poster, Alps",
    ),
    node(text="打开购物车页面"),
).encode()


def view(**given: Any) -> StateView:
    known = {"package": "com.shop", "activity": ".Main", "step": 9} | given
    return StateView(parse_tree(DUMP), DUMP, **known)


def condition(text: str) -> Condition:
    rule = read_rules(f"- {{id: r, conditions: {{all: [{text}]}}, actions: []}}").rules[0]
    return rule.conditions.conditions[0]


def explained(text: str, **given: Any) -> str:
    seen = view(**given)
    return reason(prove(condition(text), seen), seen)


SENTENCES = {
    "{type: semantic_element_exists, keywords: [Sort, Filter, Metro, Add to cart], threshold: 0.75}":
        "2 of 4 keywords, needs 3; nearest miss: 'Metro' (the screen has 'Retro travel poster, Alps')",
    "{type: semantic_element_exists, keywords: [Sort, xyzzy]}": "1 of 2 keywords, needs 2; not seen: 'xyzzy'",
    "{type: semantic_element_exists, keywords: [Sort, filter], threshold: 0.5}": "2 of 2 keywords, needs 1",
    "{type: semantic_element_exists, keywords: []}": "It has no keywords",
    "{type: semantic_element_exists, keywords: [购物东页]}":
        "0 of 1 keywords, needs 1; nearest miss: '购物东页' (the screen has '打开购物车页面')",
    "{type: current_package_is, value: com.shop}": "The package is com.shop",
    "{type: current_package_is, value: com.chat}": "The package is com.shop, wanted com.chat",
    "{type: current_activity_is, value: .Main}": "The activity is .Main",
    "{type: current_activity_is, value: .Cart}": "The activity is .Main, wanted .Cart",
    "{type: min_step, value: 3}": "This is step 9",
    "{type: min_step, value: 30}": "This is step 9, wanted 30 or later",
    "{type: element_exists, selector: \"text='Sort'\"}": "One node matches",
    "{type: element_exists, selector: \"text='Sorts'\"}":
        "No node matches; nearest miss: text is 'Sort', wanted 'Sorts'",
    "{type: element_exists, selector: \"text='Sort' checked='true'\"}":
        "No node matches; nearest miss: checked is 'false', wanted 'true'",
    "{type: element_exists, selector: \"text='Sort' hint='x'\"}":
        "No node matches; nearest miss: hint is nothing, wanted 'x'",
    "{type: element_exists, selector: \"text='Sort' within resource-id='app:id/bar'\"}":
        "'Sort' is there, but not within what it should be",
    "{type: element_exists, selector: \"text='xyzzy'\"}": "No node matches",
    "{type: element_not_exists, selector: \"text='xyzzy'\"}": "No node matches",
    "{type: element_not_exists, selector: \"checked='false'\"}": "5 nodes match",
    "{type: element_property, selector: \"text='Filter'\", attribute: checked, value: 'true'}":
        "checked is 'true'",
    "{type: element_property, selector: \"text='Filter'\", attribute: checked, value: 'no'}":
        "checked is 'true' here, wanted 'no'",
    "{type: element_property_contains, selector: \"text='Filter'\", attribute: hint, value: 'no'}":
        "hint is nothing here, which does not contain 'no'",
    "{type: element_text_contains, selector: \"resource-id='app:id/buy'\", text: Bu}": "text contains 'Bu'",
    "{type: element_text_equals, selector: \"resource-id='app:id/by'\", text: Buy}":
        "No node matches; nearest miss: resource-id is 'app:id/buy', wanted 'app:id/by'",
    "{type: text_matches, pattern: '^S.rt'}": "One node matches",
    "{type: text_matches, pattern: '[0-9]+'}": "No text matches [0-9]+",
    "{type: text_matches, pattern: '('}": "It cannot be evaluated as it is written",
    "{type: element_exists, selector: \"text='\"}": "It cannot be evaluated as it is written",
    "{type: state_reached, state: cart}": "It was not reached yet",
    "{type: image_matches, image: a.png}": "There is no screenshot to look at",
    "{type: no_such_type}": "It cannot be evaluated as it is written",
    "{any: [{type: min_step, value: 1}, {type: min_step, value: 30}]}": "1 of 2 hold",
    "{not: [{type: min_step, value: 1}]}": "One holds, and none may",
    "{not: []}": "There is nothing in it",
    "{type: min_step, value: 1, min_step: 12}": "Step 9 comes before step 12",
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), SENTENCES.items())
def test_each_clause_has_its_sentence(text: str, sentence: str) -> None:
    assert explained(text) == sentence


def test_actions_are_explained_by_what_was_done() -> None:
    typed = {"action": Type("socks")}
    assert explained("{type: action_was, action: type, text: sock}", **typed) == "The action was type"
    assert explained("{type: action_was, action: tap}", **typed) == "The action was type, wanted tap"
    assert (
        explained("{type: action_was, action: type, text: shoe}", **typed)
        == "The words were 'socks', wanted 'shoe'"
    )
    tapped = {"action": Tap(1, 1), "target": Target((0, 0), attributes={"text": "Sort"})}
    assert explained("{type: action_was, action: tap, selector: \"text='Buy'\"}", **tapped) == (
        "The action was tap, on another node"
    )
    assert explained("{type: action_was, action: tap}") == "The action was nothing, wanted tap"


def test_pictures_are_explained_by_their_score() -> None:
    wanted = ImageMatches(image="a.png", threshold=0.9)
    assert reason(Proof(wanted, False, score=0.5), view()) == "Best match 0.50, needs 0.9"
    assert reason(Proof(wanted, False), view()) == "There is no screenshot to look at"


def test_dgara_says_that_it_looks_at_the_first_node_alone() -> None:
    text = "r: {conditions: [{type: element_text_equals, selector: \"checked='false'\", text: Buy}]}"
    rule = read_rules(text, kind=SUCCESS).rules[0]
    (part,) = prove_dgara(rule, view()).parts
    assert reason(part, view()) == (
        "text is 'Retro travel poster, Alps' here, wanted 'Buy'; D-GARA looks at the first of 5 nodes alone"
    )


@pytest.mark.parametrize(
    ("kind", "clause", "sentence"),
    [
        (INJECTION, {"type": "no_such"}, "D-GARA takes no notice of it"),
        (SUCCESS, {"type": "no_such", "selector": "text='Sort'"}, "D-GARA does not know it, so it is false"),
        (SUCCESS, {"type": "element_exists", "selector": "text=Sort"},
         "D-GARA cannot read the selector, so it finds nothing"),
        (INJECTION, {"type": "semantic_element_exists", "keywords": [5]},
         "D-GARA's engine would stop here with an error"),
        (INJECTION, {"type": "x", "min_step": 9.5}, "This step comes too early"),
        (INJECTION, {"type": "semantic_element_exists"}, "D-GARA takes it for true as it is written"),
        (SUCCESS, {"type": "element_property", "selector": "text='Sort'"},
         "D-GARA takes it for false as it is written"),
    ],
)  # fmt: skip
def test_quirks_of_dgara_are_named(kind: str, clause: dict[str, Any], sentence: str) -> None:
    raw = {"conditions": {"all": [clause]} if kind == INJECTION else [clause]}
    (part,) = prove_dgara(Rule(id="r", kind=kind, raw=raw), view()).parts
    assert reason(part, view()) == sentence


def test_a_success_rule_of_nothing_never_passes_in_dgara() -> None:
    proof = prove_dgara(Rule(id="r", kind=SUCCESS, raw={"conditions": []}), view())
    assert reason(proof, view()) == "D-GARA never passes a rule without conditions"


def test_nodes_are_lit_and_near_misses_tagged() -> None:
    seen = view()
    keywords = prove(
        condition("{type: semantic_element_exists, keywords: [Sort, filter, Metro], threshold: 1}"), seen
    )
    assert [matching_node.text for matching_node in matching_nodes(keywords, seen)] == ["Sort", "Filter"]
    assert [(marked.order, tag) for marked, tag in near_nodes(keywords, seen)] == [(0, "'Metro' ~ 'Retro'")]
    absent = prove(condition("{type: element_not_exists, selector: \"text='Buy'\"}"), seen)
    assert [(marked.text, tag) for marked, tag in near_nodes(absent, seen)] == [("Buy", "should not be here")]
    elsewhere = prove(
        condition("{type: element_exists, selector: \"text='Sort' within resource-id='app:id/bar'\"}"), seen
    )
    assert [(marked.text, tag) for marked, tag in near_nodes(elsewhere, seen)] == [("Sort", "not within")]
    other = prove(
        condition("{type: element_property, selector: \"text='Buy'\", attribute: checked, value: 'true'}"),
        seen,
    )
    assert [(marked.text, tag) for marked, tag in near_nodes(other, seen)] == [("Buy", "'true' ~ 'false'")]
    assert matching_nodes(other, seen) == []


def test_every_sentence_survives_a_state_without_nodes() -> None:
    empty = StateView()
    for text in SENTENCES:
        proof = prove(condition(text), empty)
        assert reason(proof, empty)
        assert matching_nodes(proof, empty) == []
        assert near_nodes(proof, empty) == []


def test_titles_say_the_clause_in_one_line() -> None:
    assert (
        title(condition("{type: element_exists, selector: \"text='Sort'\"}")) == "element_exists text='Sort'"
    )
    keywords = "{type: semantic_element_exists, keywords: [Sort, Filter], threshold: 0.5}"
    assert title(condition(keywords)) == "semantic_element_exists Sort, Filter 0.5"
    assert title(Group(kind="not")) == "none of"
    assert title(condition("{selector: x}")) == "a condition without a type"
    long = f"{{type: current_activity_is, value: {'x' * 199}z}}"
    assert title(condition(long)).endswith("xz")
    assert "x...x" in title(condition(long))
