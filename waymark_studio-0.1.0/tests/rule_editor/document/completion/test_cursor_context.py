"""What may be written at the cursor, in sound files and in the middle of typing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rule_editor.document.completion.cursor_context import context_at

INJECTION, SUCCESS, STATE = "injection", "success", "state"

HEAD = "rules:\n  - id: a\n    conditions:\n      all:\n"
CASES = {
    "key of a rule": (INJECTION, "rules:\n  - id: a\n    pr|\n", "key rule pr"),
    "key of a rule after its conditions": (
        INJECTION,
        HEAD + "        - type: min_step\n          value: 3\n    ac|",
        "key rule ac",
    ),
    "key at the root": (INJECTION, "ru|", "key root ru"),
    "first key of a rule": (INJECTION, "rules:\n  - |", "key rule "),
    "key of a bare list's rule": (INJECTION, "- id: a\n  des|", "key rule des"),
    "key of a list at the margin": (INJECTION, "rules:\n- id: a\n  des|", "key rule des"),
    "group of a rule": (INJECTION, "rules:\n  - id: a\n    conditions:\n      a|", "key condition a"),
    "first key of a condition": (INJECTION, HEAD + "        - ty|", "key condition ty"),
    "type of a condition": (INJECTION, HEAD + "        - type: cur|", "value condition type cur"),
    "type with more behind it": (
        INJECTION,
        HEAD + "        - type: cu|r\n          value: x\n",
        "value condition type cu",
    ),
    "key of a condition": (
        INJECTION,
        HEAD + "        - type: element_exists\n          sel|",
        "key condition sel element_exists",
    ),
    "key of a condition before its type": (
        INJECTION,
        HEAD + "        - sel|\n          type: element_exists\n",
        "key condition sel",
    ),
    "value of a condition": (
        INJECTION,
        HEAD + "        - type: element_exists\n          selector: \"text='|",
        "value condition selector text=' element_exists",
    ),
    "keyword in brackets": (
        INJECTION,
        HEAD + '        - type: semantic_element_exists\n          keywords: [one, "tw|"]',
        "value condition keywords tw",
    ),
    "keyword in a list": (
        INJECTION,
        HEAD + "        - type: semantic_element_exists\n          keywords:\n            - on|",
        "value condition keywords on",
    ),
    "condition in braces": (
        INJECTION,
        HEAD + "        - {type: element_exists, sel|",
        "key condition sel element_exists",
    ),
    "value in braces": (
        INJECTION,
        HEAD + "        - {type: current_activity_is, value: .M|",
        "value condition value .M current_activity_is",
    ),
    "interference": (
        INJECTION,
        "rules:\n  - id: a\n    actions:\n      - type: inject_interference\n        interference_id: lo|\n",
        "value action interference_id lo",
    ),
    "key of an action": (
        INJECTION,
        "rules:\n  - id: a\n    actions:\n      - type: inject_interference\n        int|",
        "key action int",
    ),
    "key of a success rule": (SUCCESS, "buy:\n  desc|", "key rule desc"),
    "condition of a success rule": (SUCCESS, "buy:\n  conditions:\n    - ty|", "key condition ty"),
    "condition of a list at its key's column": (
        SUCCESS,
        "buy:\n  conditions:\n  - type: el|",
        "value condition type el",
    ),
    "condition inside any_of": (
        SUCCESS,
        "buy:\n  conditions:\n    - type: any_of\n      sub_conditions:\n        - type: x|",
        "value condition type x",
    ),
    "key of any_of": (
        SUCCESS,
        "buy:\n  conditions:\n    - type: any_of\n      su|",
        "key condition su any_of",
    ),
    "after in brackets": (STATE, "states:\n  - id: b\n    after: [a, |]", "value rule after "),
    "after in a list": (STATE, "states:\n  - id: b\n    after:\n      - a|", "value rule after a"),
    "state of a condition": (
        STATE,
        "states:\n  - id: b\n    conditions:\n      - type: state_reached\n        state: a|",
        "value condition state a state_reached",
    ),
    "comment": (INJECTION, "rules:\n  - id: a # no|", "nothing"),
    "value with a sharp in quotes": (INJECTION, "rules:\n  - id: 'a # no|", "value rule id a # no"),
    "broken above": (INJECTION, 'rules:\n  - id: [oops\n  - id: "x\n  - id: b\n    onc|', "key rule onc"),
    "in the middle of other rules": (
        INJECTION,
        HEAD + "        - type: min_step\n          val|\n\n  - id: b\n    conditions: []\n",
        "key condition val min_step",
    ),
    "windows line ends": (
        INJECTION,
        HEAD.replace("\n", "\r\n") + "        - type: cur|\r\n  - id: b\r\n",
        "value condition type cur",
    ),
}


def described(context) -> str:
    if context.what == "nothing":
        return "nothing"
    key = context.key + " " if context.what == "value" else ""
    return f"{context.what} {context.within} {key}{context.prefix} {context.type}"


@pytest.mark.parametrize("name", CASES)
def test_context(name):
    kind, text, wanted = CASES[name]
    at = text.index("|")
    context = context_at(text[:at] + text[at + 1 :], at, kind)
    if context.type and not wanted.endswith(context.type):
        wanted += " " + context.type
    assert described(context).split() == wanted.split()


def test_what_is_replaced_is_the_whole_value_with_its_quotes():
    text = HEAD + '        - type: element_exists\n          selector: "text=\'Ba" # why\n'
    at = text.index("Ba") + 1
    context = context_at(text, at, INJECTION)
    assert text[context.start : context.end] == '"text=\'Ba"'
    assert context.quote == '"'


def test_what_is_replaced_of_a_key_stops_before_its_colon():
    text = "rules:\n  - id: a\n    prio: 3\n"
    at = text.index("prio") + 2
    context = context_at(text, at, INJECTION)
    assert text[context.start : context.end] == "prio"


def test_what_is_replaced_in_brackets_is_one_entry():
    text = HEAD + "        - type: semantic_element_exists\n          keywords: [one, tw, three]\n"
    at = text.index("tw") + 1
    context = context_at(text, at, INJECTION)
    assert text[context.start : context.end] == "tw"
    assert context.siblings == ("one",)


def test_keys_of_the_mapping_are_siblings_above_and_below():
    text = (
        HEAD + "        - type: element_property\n          attr\n          value: x\n        - type: other\n"
    )
    context = context_at(text, text.index("attr") + 4, INJECTION)
    assert context.siblings == ("type", "value")


PIECES = st.sampled_from(
    [
        "rules:",
        "\n",
        "  ",
        "- ",
        "id: a",
        "conditions:",
        "all:",
        "type: ",
        "element_exists",
        "[",
        "]",
        "{",
        "}",
        ",",
        '"',
        "'",
        "#",
        ": ",
        "keywords: ",
        "actions:",
        "\r\n",
        "\t",
        "\ufeff",
        "电",
        "|",
        ">",
        "&a",
        "*a",
        "\\",
    ]
)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=30).map("".join) | st.text(max_size=60), st.data())
def test_no_text_breaks_it(text, data):
    at = data.draw(st.integers(-1, len(text) + 1))
    for kind in (INJECTION, SUCCESS, STATE):
        context = context_at(text, at, kind)
        assert 0 <= context.start <= context.end <= len(text)
        assert "\n" not in text[context.start : context.end]
