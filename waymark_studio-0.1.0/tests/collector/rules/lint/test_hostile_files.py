"""Rule files made to be slow: each is read and linted in time proportional to its size."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.located_yaml.nearest_word import nearest
from collector.rules.evaluation.evaluate import evaluate
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.condition_reader import MAX_CONDITIONS
from collector.rules.grammar.model import STATE
from collector.rules.grammar.patterns import MAX_LENGTH, PatternError, compile_pattern
from collector.rules.grammar.rule_reader import read_rules
from collector.rules.grammar.value_reader import MAX_TEXTS
from tests.helpers.judged import screen, shows
from tests.helpers.linting import lint, names

_HEAD = "- id: r\n  conditions:\n    all:\n"
_STATE = '{{id: s{0}, after: [s{1}], conditions: [{{type: element_exists, selector: "text=a"}}]}}'


def _alternatives(depth: int) -> str:
    if not depth:
        return '{type: element_exists, selector: "text=a"}'
    inner = _alternatives(depth - 1)
    return f"{{any: [{inner}, {inner}]}}"


def _states(count: int, before: int) -> str:
    """States that each come after the one ``before`` places further, in a circle."""
    return "states:\n" + "".join(f"- {_STATE.format(at, (at + before) % count)}\n" for at in range(count))


_FILES = {
    "keywords": _HEAD
    + f"    - {{type: semantic_element_exists, keywords: [{', '.join(f'w{at}' for at in range(14_000))}]}}\n",
    "alternatives": f"{_HEAD}    - {_alternatives(12)}\n",
    "conditions": _HEAD + '    - {type: element_exists, selector: "text=a"}\n' * 8000,
    "apps": _HEAD
    + "".join(f"    - {{type: current_package_is, value: a.b{at}}}\n" for at in range(4000)) * 2,
    "follow ups": _HEAD
    + '    - {type: element_exists, selector: "text=a"}\n'
    + "  actions:\n  - {type: inject_interference, interference_id: x, follow_up: {"
    + ", ".join(f"a{at}: b" for at in range(20_000))
    + "}}\n",
    "comments": "# waymark: ignore W403\n" * 14_000
    + _HEAD
    + '    - {type: element_exists, selector: "text=a"}\n',
    "a long pattern": f"{_HEAD}    - {{type: text_matches, pattern: '{'(a|b)*' * 60_000}'}}\n",
}


@pytest.mark.parametrize("name", _FILES)
@pytest.mark.timeout(25)
def test_a_file_of_many_parts_is_linted_in_its_time(name: str) -> None:
    lint(_FILES[name])


@pytest.mark.timeout(25)
def test_a_circle_of_two_thousand_states_is_one_finding() -> None:
    assert names(lint(_states(2000, 1), kinds=[STATE])) == ["W210"]


def test_no_word_is_looked_for_among_thousands_or_letter_by_letter_in_a_long_one() -> None:
    assert nearest("state_7x", [f"state_{number}" for number in range(100)]) != ""
    assert nearest("state_7x", [f"state_{number}" for number in range(10_000)]) == ""
    assert nearest("a" * 10_000, ["a" * 9_999]) == ""


def test_every_circle_is_named_that_shares_no_state_with_one_named_before() -> None:
    text = "states:\n" + "".join(
        f"- {{id: {name}, after: [{before}], {shows('x')}}}\n"
        for name, before in [
            ("a", "b"),
            ("b", "a"),
            ("c", "a"),
            ("d", "e"),
            ("e", "f, d"),
            ("f", "d"),
            ("g", "g"),
        ]
    )
    said = [
        finding.what.partition(": ")[2] for finding in lint(text, kinds=[STATE]) if finding.code == "W210"
    ]
    assert said == ["a -> b -> a", "d -> e -> d", "f -> d -> e -> f", "g -> g"]


def test_a_rule_of_too_many_conditions_says_so_and_does_not_hold() -> None:
    condition = '    - {type: element_exists, selector: "text=a"}\n'
    read = read_rules(_HEAD + condition * (MAX_CONDITIONS + 5))
    (finding,) = [each for each in read.diagnostics if each.code == "W103"]
    assert finding.what == f"The rule has more than {MAX_CONDITIONS} conditions"
    assert finding.place.line == MAX_CONDITIONS + 4
    view = StateView(parse_tree(screen("a")), screen("a"))
    assert not evaluate(read.rules[0], view).holds
    assert evaluate(read_rules(_HEAD + condition * MAX_CONDITIONS).rules[0], view).holds


def test_a_list_of_too_many_texts_is_refused() -> None:
    words = ", ".join(f"w{at}" for at in range(MAX_TEXTS + 1))
    read = read_rules(f"{_HEAD}    - {{type: semantic_element_exists, keywords: [{words}]}}\n")
    assert f"keywords has more than {MAX_TEXTS} texts" in [finding.what for finding in read.diagnostics]


def test_a_pattern_that_is_too_long_is_refused_unread() -> None:
    compile_pattern("a" * MAX_LENGTH)
    with pytest.raises(PatternError, match=f"more than {MAX_LENGTH} characters"):
        compile_pattern("(" * (MAX_LENGTH + 1))
