"""Rules as a list shows them, and places to follow from one view to another."""

from collector.located_yaml.codes import diagnostic
from collector.located_yaml.diagnostics import Severity
from rule_editor.document.rules.rule_document import RuleDocument

TEXT = """\
rules:
  - id: a
    conditions:
      all:
        - type: min_step
          value: 2
        - any:
            - {type: element_exists, selector: "text='x'"}
            - type: min_step
              value: 3
    actions: []
  - id: b
    wrong: 1
    conditions:
      all: [{type: min_step, value: 2}]
    actions: []
"""


def test_every_rule_is_listed_with_its_place_and_the_worst_finding():
    first, second = RuleDocument(TEXT).outline()
    assert (first.key, first.kind, first.severity, first.readable) == ("a", "injection", None, True)
    assert TEXT[first.place.start :].startswith("id: a")
    assert second.severity == Severity.WARNING


def test_findings_of_others_are_counted_too():
    document = RuleDocument(TEXT)
    missing = diagnostic("dangling-interference", document.rules[0].place, "no such anomaly")
    assert [entry.severity for entry in document.outline([missing])] == [Severity.ERROR, Severity.WARNING]


def test_broken_rules_are_listed_as_not_sound():
    document = RuleDocument(TEXT + "  - id: [oops\n")
    entries = document.outline()
    assert [entry.readable for entry in entries] == [True, True, False]
    assert entries[2].severity == Severity.ERROR
    assert entries[2].place.line == 17


def test_rules_that_share_an_id_have_keys_of_their_own():
    text = "rules:\n" + "  - id: a\n    actions: []\n" * 3 + "  - actions: []\n"
    document = RuleDocument(text)
    assert [(entry.key, entry.id) for entry in document.outline()] == [
        ("a#1", "a"),
        ("a#2", "a"),
        ("a", "a"),
        ("#4", ""),
    ]
    assert document.rule("a") is document.rules[2]
    document.set_field("a#1", "priority", 5)
    assert [rule.priority for rule in document.rules] == [5, 99, 99, 99]


def test_a_place_leads_to_its_rule_and_condition_and_back():
    document = RuleDocument(TEXT)
    at = TEXT.index("text='x'")
    assert document.rule_at(at) == "a"
    assert document.condition_at(at) == ("a", (1, 0))
    place = document.place_of("a", (1, 0))
    assert place is not None
    assert TEXT[place.start : place.end] == "{type: element_exists, selector: \"text='x'\"}"
    assert document.condition_at(TEXT.index("value: 3")) == ("a", (1, 1))
    assert document.condition_at(TEXT.index("wrong")) is None
    assert document.rule_at(TEXT.index("wrong")) == "b"
    assert document.rule_at(0) == ""
    assert document.place_of("a", (7,)) is None
    assert document.place_of("nobody") is None
