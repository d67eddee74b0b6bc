"""Each condition says in words what it says in YAML, with the end of ids that tells them apart."""

from __future__ import annotations

import pytest

from collector.model.i18n import _
from collector.rules.evaluation.explanation import sentence, title
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.rule_reader import read_rules

SENTENCES = {
    """{type: element_exists, selector: "resource-id='com.shop:id/cart'"}""": (
        "There is a node with the id cart"
    ),
    """{type: element_not_exists, selector: "text='Close'"}""": "There is no node with the text 'Close'",
    """{type: element_exists, selector: "//node[3]"}""": "There is a node with the selector //node[3]",
    """{type: element_text_equals, selector: "resource-id='a:id/total'", text: $5}""": (
        "The text of the node with the id total is '$5'"
    ),
    """{type: element_property_contains, selector: "content-desc='Like'", attribute: text, value: Li}""": (
        "The text of the node with the description 'Like' contains 'Li'"
    ),
    "{type: semantic_element_exists, keywords: [Sort, Map], match_threshold: 0.5}": (
        "The screen shows 1 of 'Sort', 'Map'"
    ),
    "{type: semantic_element_exists, keywords: [Sort, Map], match_threshold: 1}": (
        "The screen shows 'Sort', 'Map'"
    ),
    "{type: text_similar, text: Order confirmed}": "A text is like 'Order confirmed'",
    "{type: current_package_is, value: com.shop}": "The app is com.shop",
    "{type: min_step, value: 3}": "Step 3 is reached",
    "{type: action_was, action: long_press}": "The last action was long press",
    "{type: action_was, action: '*'}": "There was an action before",
    """{type: action_was, action: tap, selector: "text='Buy'"}""": (
        "The last action was tap on a node with the text 'Buy'"
    ),
    """{type: action_was, action: '*', selector: "resource-id='a:id/go'"}""": (
        "The last action was on a node with the id go"
    ),
    "{type: action_was, action: type, text: Oslo}": "The last action was type with the text 'Oslo'",
    "{type: action_was, action: '*', text: Oslo}": "The last action had the text 'Oslo'",
    """{type: action_was, action: type, selector: "resource-id='a:id/to'", text: Oslo}""": (
        "The last action was type on a node with the id to, with the text 'Oslo'"
    ),
    "{type: app_data, collection: todo.tasks}": "todo.tasks has a record",
    """{type: app_data, collection: messenger.messages, record: "me='true'", change: added}""": (
        "messenger.messages gets a record with me='true'"
    ),
    "{any: [{type: min_step, value: 3}, {type: current_package_is, value: a.b}]}": (
        "At least one of: Step 3 is reached; The app is a.b"
    ),
}


def condition(yaml: str):
    return (
        read_rules(f"rules:\n- id: r\n  conditions:\n    all:\n    - {yaml}\n")
        .rules[0]
        .conditions.conditions[0]
    )


@pytest.mark.parametrize("yaml", SENTENCES)
def test_what_it_says(yaml) -> None:
    assert sentence(condition(yaml)) == SENTENCES[yaml]


def test_every_type_has_a_sentence_of_its_own() -> None:
    for name, spec in condition_specs().items():
        said = sentence(condition(spec.example))
        assert said not in ("", spec.doc, _(spec.doc)), name
        assert name not in said


def test_a_long_value_keeps_its_end() -> None:
    selector = "resource-id='" + "a" * 300 + ":id/the_end'"
    shown = title(condition(f'{{type: element_exists, selector: "{selector}"}}'))
    assert shown.endswith(":id/the_end'")
    assert len(shown) < 200
