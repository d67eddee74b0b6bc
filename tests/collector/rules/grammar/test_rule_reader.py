"""Rule files are read for what they say; every mistake is told with its code, and costs nothing else."""

from __future__ import annotations

import pytest

from collector.located_yaml.codes import CODES
from collector.located_yaml.diagnostics import Severity, TextEdit, apply_edits
from collector.located_yaml.source import read_source
from collector.model.geometry import Rect
from collector.rules.conditions.image_matches import ImageMatches
from collector.rules.conditions.min_step import MinStep
from collector.rules.conditions.semantic_element_exists import SemanticElementExists
from collector.rules.grammar.condition_registry import condition_specs
from collector.rules.grammar.model import INJECTION, SAFETY, STATE, SUCCESS, Group, Unknown
from collector.rules.grammar.rule_reader import kind_of, read_rules
from collector.rules.grammar.specs import INJECTION_FIELDS, RULE_SPECS

NAMES = {spec.code: name for name, spec in CODES.items()}


def injection(conditions: str, more: str = "actions: []") -> str:
    return f"rules:\n- id: r\n  conditions: {conditions}\n  {more}\n"


def codes_of(text: str, kind: str = "") -> list[str]:
    return [NAMES[diagnostic.code] for diagnostic in read_rules(text, "f.yaml", kind).diagnostics]


@pytest.mark.parametrize("spec", condition_specs().values(), ids=lambda spec: spec.type)
def test_the_example_of_every_condition_is_read_without_a_word(spec: object) -> None:
    file = read_rules(injection(f"{{all: [{spec.example}]}}"))  # type: ignore[attr-defined]
    assert file.diagnostics == ()
    assert file.rules[0].conditions.conditions[0].type == spec.type  # type: ignore[attr-defined]


def test_every_kind_of_rule_has_its_keys() -> None:
    assert set(RULE_SPECS) == {INJECTION, SUCCESS, STATE, SAFETY}
    assert [spec.name for spec in INJECTION_FIELDS if spec.required] == ["type", "interference_id"]


@pytest.mark.parametrize(
    ("text", "path", "kind"),
    [
        ("rules: []", "", INJECTION),
        ("- {id: x}", "", INJECTION),
        ("states: []", "", STATE),
        ("safety: []", "", SAFETY),
        ("", "rules/safety.yaml", SAFETY),
        ("x: {conditions: []}", "", SUCCESS),
        ("rules: {conditions: []}", "", SUCCESS),
        ("", "success.yaml", SUCCESS),
        ("", "rules/states.yaml", STATE),
        ("# nothing", "injection.yaml", INJECTION),
        ("", "", INJECTION),
    ],
)
def test_the_kind_of_a_file_is_told_from_its_keys_or_its_name(text: str, path: str, kind: str) -> None:
    assert kind_of(read_source(text).root, path) == kind


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (injection("{all: [{type: min_step, value: 1}]}", "colour: red"), ["missing-field", "unknown-key"]),
        (injection("{all: [{type: element_exists}]}"), ["missing-field"]),
        (injection("{all: [{type: min_step, value: soon}]}"), ["wrong-shape"]),
        (injection("{all: [{type: min_step, value: 1.5}]}"), ["wrong-shape"]),
        (injection("{all: [{type: min_step, value: true}]}"), ["wrong-shape"]),
        (injection("{all: [text]}"), ["wrong-shape"]),
        (injection("{all: text}"), ["wrong-shape"]),
        (injection("text"), ["no-conditions"]),
        (injection("[{type: min_step, value: 1}]"), ["semantics-differ"]),
        (injection("{al: [{type: min_step, value: 1}]}"), ["missing-field"]),
        (injection("{all: [{type: any_of}]}"), ["missing-field"]),
        (injection("{all: [{type: semantic_element_exists, keywords: [a, [b]]}]}"), ["wrong-shape"]),
        (injection("{all: [{type: action_was, action: taps}]}"), ["unknown-type"]),
        (injection("{all: [{type: image_matches, image: a.png, region: [5, 5, 1, 1]}]}"), ["wrong-shape"]),
        (injection("{all: [{type: image_matches, image: a.png, method: magic}]}"), ["unknown-type"]),
        (injection("{all: [{type: min_step, value: 1}]}", "actions: [{type: inject, interference_id: x}]"),
         ["unknown-type"]),
        (injection("{all: [{type: min_step, value: 1}]}", "actions: [text]"), ["wrong-shape"]),
        ("rules: {x: 1}", ["wrong-shape"]),
        ("rules: [text]", ["wrong-shape"]),
        ("text", ["wrong-shape"]),
        ("rules:\n- {conditions: {all: [{type: min_step, value: 1}]}, actions: []}", ["missing-field"]),
        ("rules: []\nrules: []", ["duplicate-key"]),
        ("", []),
        ("rules:", []),
    ],
)  # fmt: skip
def test_each_mistake_is_told_by_its_code(text: str, names: list[str]) -> None:
    assert codes_of(text, INJECTION) == names


def test_a_diagnostic_names_rule_file_and_weight() -> None:
    (finding,) = read_rules(injection("{all: [{type: min_stp, value: 1}]}"), "rules/a.yaml").diagnostics
    assert (finding.code, finding.severity, finding.rule_id, finding.path) == (
        "W104", Severity.ERROR, "r", "rules/a.yaml",
    )  # fmt: skip
    assert finding.sentence.startswith("There is no condition min_stp. D-GARA takes it for true")
    (fix,) = finding.fixes
    assert fix.edits[0].text == "min_step"


def test_what_cannot_be_evaluated_stays_in_its_place() -> None:
    text = injection("{all: [{type: nobody}, {type: element_exists}, 5, {type: min_step, value: 2}]}")
    first, second, third, last = read_rules(text).rules[0].conditions.conditions
    assert (first, second, third) == (Unknown(written="nobody"), Unknown(written="element_exists"), Unknown())
    assert last == MinStep(value=2)


def test_groups_nest_and_keep_their_spelling() -> None:
    text = injection(
        "{all: [{any: [{type: min_step, value: 1}], min_step: 2},"
        " {type: any_of, sub_conditions: [{not: {type: min_step, value: 9}}]}]}"
    )
    file = read_rules(text)
    first, second = file.rules[0].conditions.conditions
    assert file.diagnostics == ()
    assert first == Group(kind="any", spelling="any", conditions=(MinStep(value=1),), min_step=2)
    inner = Group(kind="not", spelling="not", conditions=(MinStep(value=9),))
    assert second == Group(kind="any", spelling="any_of", conditions=(inner,))


def test_several_groups_side_by_side_must_all_hold() -> None:
    file = read_rules(injection("{any: [{type: min_step, value: 1}], not: [{type: min_step, value: 5}]}"))
    assert [condition.spelling for condition in file.rules[0].conditions.conditions] == ["any", "not"]


def test_a_threshold_may_be_spelled_as_in_the_paper_or_as_in_the_code() -> None:
    for key in ("threshold", "match_threshold"):
        clause = f"{{type: semantic_element_exists, keywords: [a], {key}: 0.5}}"
        (read,) = read_rules(injection(f"{{all: [{clause}]}}")).rules[0].conditions.conditions
        assert read == SemanticElementExists(keywords=("a",), match_threshold=0.5)


def test_a_region_is_four_numbers() -> None:
    clause = "{type: image_matches, image: a.png, region: [1, 2, 30, 40]}"
    (read,) = read_rules(injection(f"{{all: [{clause}]}}")).rules[0].conditions.conditions
    assert read == ImageMatches(image="a.png", region=Rect(1, 2, 30, 40))


def test_the_last_rule_of_an_id_counts() -> None:
    text = "rules:\n" + "".join(
        f"- {{id: r, priority: {at}, conditions: {{all: [{{type: min_step, value: 1}}]}}, actions: []}}\n"
        for at in (1, 2)
    )
    file = read_rules(text)
    rule = file.rule("r")
    assert rule is not None
    assert rule.priority == 2
    assert file.rule("none") is None


def test_codes_are_unique_and_described() -> None:
    codes = [spec.code for spec in CODES.values()]
    assert len(set(codes)) == len(codes)
    assert all(spec.doc and spec.name == name for name, spec in CODES.items())


def test_edits_are_made_from_one_text_and_may_not_overlap() -> None:
    assert apply_edits("abcdef", (TextEdit(4, 5, "E"), TextEdit(0, 2, ""), TextEdit(6, 6, "!"))) == "cdEf!"
    with pytest.raises(ValueError, match="overlap"):
        apply_edits("abc", (TextEdit(0, 2, ""), TextEdit(1, 3, "")))


def test_what_follows_an_answer_is_a_text_or_nothing() -> None:
    follow_up = "{accept: press_back, deny: null, dismiss: ~, manage: [1, 2]}"
    action = f"[{{type: inject_interference, interference_id: a, follow_up: {follow_up}}}]"
    file = read_rules(injection("{all: []}", f"actions: {action}"), "f.yaml")
    assert file.rules[0].actions[0].follow_up == {"accept": "press_back", "deny": "", "dismiss": ""}
    assert [diagnostic.what for diagnostic in file.diagnostics if "manage" in diagnostic.what] == [
        "What follows manage has to be a text"
    ]
