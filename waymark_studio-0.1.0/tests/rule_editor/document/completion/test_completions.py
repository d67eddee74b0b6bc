"""What is offered at the cursor, from the grammar and from what is on the screen."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.rule_reader import read_rules
from rule_editor.document.completion.completions import Vocabulary
from rule_editor.document.rules.rule_document import RuleDocument
from tests.helpers.condition_plugins import ELEMENT_COUNT, installed_condition_types

WORDS = Vocabulary(
    ids=("com.example:id/cart",),
    texts=("Buy now", "yes", 'Say "hi"', "it's"),
    descriptions=("Back",),
    activities=(".Cart",),
    packages=("com.example",),
    anomalies=("battery", "wifi"),
    states=("cart_open", "paid"),
    tasks=("7",),
)
HEAD = "rules:\n  - id: a\n    conditions:\n      all:\n"


def offered(text, kind="injection"):
    at = text.index("|")
    document = RuleDocument(text[:at] + text[at + 1 :], kind=kind)
    return document, document.completions(at, WORDS)


def taken(text, label, kind="injection"):
    document, completions = offered(text, kind)
    chosen = next(completion for completion in completions if completion.label == label)
    return document.text[: chosen.start] + chosen.text + document.text[chosen.end :]


def labels(text, kind="injection"):
    return [completion.label for completion in offered(text, kind)[1]]


def test_types_of_conditions_are_offered_with_a_sentence_each():
    completions = offered(HEAD + "        - type: |")[1]
    assert {completion.label for completion in completions} >= set(condition_specs()) | {"any_of"}
    assert all(completion.doc for completion in completions)


def test_a_type_of_an_installed_package_and_its_keys_are_offered():
    with installed_condition_types(ELEMENT_COUNT):
        assert "element_count" in labels(HEAD + "        - type: element|")
        keys = labels(HEAD + "        - type: element_count\n          |")
        assert {"selector", "least", "min_step"} <= set(keys)


def test_what_begins_alike_comes_first():
    offered_labels = labels(HEAD + "        - type: element|")
    assert offered_labels[0].startswith("element")
    assert offered_labels.index("semantic_element_exists") >= 6


def test_keys_that_stand_already_are_not_offered_again():
    offered_labels = labels(HEAD + "        - type: element_property\n          selector: x\n          |\n")
    assert offered_labels == ["attribute", "value", "min_step"]


def test_a_new_condition_begins_with_its_type_or_a_group():
    assert labels(HEAD + "        - |") == ["type", "all", "any", "not", "min_step"]


def test_keys_of_a_rule_and_of_an_action():
    assert labels("rules:\n  - id: a\n    pr|") == ["priority"]
    assert "interference_id" in labels("rules:\n  - id: a\n    actions:\n      - |")
    assert labels("|") == ["rules"]


@pytest.mark.parametrize(
    ("line", "label", "written"),
    [
        ("type: element_exists\n          selector: |", "text='Buy now'", "\"text='Buy now'\""),
        ("type: element_exists\n          selector: 'res|'", "resource-id='com.example:id/cart'",
         "'resource-id=''com.example:id/cart'''"),
        ("type: element_exists\n          selector: |", "text=\"it's\"", '"text=\\"it\'s\\""'),
        ("type: element_text_equals\n          text: |", "yes", '"yes"'),
        ("type: current_activity_is\n          value: |", ".Cart", ".Cart"),
        ("type: semantic_element_exists\n          keywords: ['one', |]", "Buy now", "'Buy now'"),
        ("type: semantic_element_exists\n          keywords:\n            - B|", "Buy now", "Buy now"),
        ("type: state_reached\n          state: |", "paid", "paid"),
        ("type: action_was\n          action: ta|", "tap", "tap"),
        ("type: image_matches\n          method: |", "features", "features"),
    ],
)  # fmt: skip
def test_values_are_written_as_yaml_reads_them_back(line, label, written):
    text = taken(HEAD + "        - " + line, label)
    assert text.rstrip("]'").endswith(written.rstrip("]'"))
    assert not [diagnostic for diagnostic in read_rules(text).diagnostics if diagnostic.code == "W101"]


def test_ids_of_the_project_are_offered():
    assert labels("rules:\n  - id: a\n    actions:\n      - interference_id: |") == ["battery", "wifi"]
    assert labels("states:\n  - id: b\n    after: [paid, |]", "state") == ["cart_open"]
    assert labels("states:\n  - id: b\n    task: |", "state") == ["7"]
    assert labels("rules:\n  - id: a\n    once: |") == ["true", "false"]


def test_nothing_is_offered_in_comments_and_free_text():
    assert labels("rules:\n  - id: a  # |") == []
    assert labels("rules:\n  - id: a\n    description: |") == []


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab:-[]{}#'\"\n \r,id&*|>", max_size=60), st.integers(0, 60))
def test_no_text_breaks_it(text, at):
    for kind in ("injection", "success", "state"):
        document = RuleDocument(text, kind=kind)
        for completion in document.completions(at, WORDS):
            assert 0 <= completion.start <= completion.end <= len(text)
