"""Reading entry by entry tells exactly what reading the whole file does, places and findings included."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.rules.grammar.model import Condition, Group, RuleFile
from collector.rules.grammar.rule_reader import read_rules
from rule_editor.document.rules.rule_file_reader import RuleFileReader

INJECTION = """\
# head
rules:
  - id: a  # first
    priority: 5
    conditions:
      all:
        - {type: min_step, value: 3}
        - any:
            - type: element_exists
              selector: "text='x'"
    actions:
      - type: inject_interference
        interference_id: low

  # about b
  - id: b
    unknwon: 1
    conditions: {}
    actions: [{type: inject_interferenc, interference_id: x}]
  - id: c
    description: |
      - id: no rule
        rules:
    conditions:
      all: []
    actions: []
"""
SUCCESS = """\
first:
  conditions:
    - type: any_of
      sub_conditions:
        - {type: element_exists, selector: "a='b'"}
second:
  description: "two
    lines"
  conditions:
    - {type: text_matches, pattern: '('}
"third rule":
  conditions: []
"""
STATES = (
    "states:\n- id: x\n  after: [y]\n  conditions:\n  - {type: min_step, value: 1}\n- id: y\n  conditions: []"
)
ALIASES = """\
rules:
  - id: a
    conditions: &c
      all:
        - {type: min_step, value: 1}
    actions: []
  - id: b
    conditions: *c
    actions: []
"""
ODD = {
    "aliases": ALIASES,
    "two documents": INJECTION + "---\nrules: []\n",
    "a document end": INJECTION + "...\n",
    "a directive": "%YAML 1.1\n---\n" + INJECTION,
    "flow": '{"rules": [{"id": "a", "actions": []}]}',
    "other keys": "version: 1\n" + INJECTION + "more: 2\n",
    "old line ends": INJECTION.replace("\n", "\r"),
    "quote across entries": 'rules:\n  - id: "a\n  - id: b"\n    actions: []\n',
    "deeper entry": "rules:\n  - id: a\n    actions: []\n   - id: b\n",
    "twice the same key": SUCCESS + "first:\n  conditions: []\n",
    "entries that are no mappings": "rules:\n  - a\n  - [b]\n  - id: c\n    actions: []\n",
    "root of another kind": "rules:\n  a: 1\n",
    "library": "interference_library:\n  - id: a\n",
    "a number sign that begins no comment": STATES.replace("states:", "states:#"),
    "question mark in an entry": INJECTION.replace("    actions:\n", "    ? actions:\n", 1),
    "question mark at an entry's end": INJECTION.replace("\n  # about b", "    ?\n  # about b"),
    "question mark key": "? a\n: conditions: []\nb:\n  conditions: []\n",
    "a line end only unicode knows": INJECTION.replace("# first", "# \u2028 first").replace("low", "lo\x85w"),
}


def parts(condition: Condition) -> list[object]:
    values: list[object] = [condition, condition.place, condition.raw]
    if isinstance(condition, Group):
        values += [parts(part) for part in condition.conditions]
    return values


def values_of(file: RuleFile) -> list[object]:
    """All of a file, with what equality of conditions leaves out."""
    rules = [
        (rule, rule.place, rule.id_place, rule.raw, parts(rule.conditions),
         [(action.place, action.id_place, action.raw) for action in rule.actions])
        for rule in file.rules
    ]  # fmt: skip
    return [file.kind, file.path, rules, sorted(map(repr, file.diagnostics))]


def check(text: str, kind: str = "", reader: RuleFileReader | None = None) -> None:
    reading = (reader or RuleFileReader("rules.yaml", kind)).read(text)
    assert values_of(reading.file) == values_of(read_rules(text, "rules.yaml", kind))
    for entry in reading.entries:
        assert 0 <= entry.start <= entry.end <= len(text)
    assert len(reading.by_key) == len(reading.entries)


@pytest.mark.parametrize("text", [INJECTION, SUCCESS, STATES, *ODD.values()], ids=[*"123", *ODD])
@pytest.mark.parametrize("kind", ["", "injection", "success", "state"])
def test_any_layout_reads_as_the_whole_does(text, kind):
    check(text, kind)
    check(text.replace("\n", "\r\n"), kind)
    check("\ufeff" + text, kind)
    check(text.rstrip("\n"), kind)


def test_entries_of_common_layouts_are_read_alone():
    for text in (INJECTION, SUCCESS, STATES, INJECTION.replace("\n", "\r\n")):
        assert all(entry.parsed is not None for entry in RuleFileReader().read(text).entries)
    assert not any(entry.parsed is not None for entry in RuleFileReader().read(ALIASES).entries)


def test_only_the_entry_that_changed_is_read_again():
    reader = RuleFileReader()
    before = reader.read(INJECTION).entries
    after = reader.read(INJECTION.replace("unknwon", "unknown")).entries
    assert [first.parsed is second.parsed for first, second in zip(before, after, strict=True)] == [
        True,
        False,
        True,
    ]
    assert before[0].rule is after[0].rule


@pytest.mark.parametrize(
    ("text", "old", "slip"),
    [
        (INJECTION, "value: 3", "value: [3"),
        (INJECTION.partition("rules:\n")[2], "value: 3", 'value: "3'),
        (STATES, "[y]", "[y"),
        (SUCCESS, "any_of", "{any_of"),
    ],
)
def test_in_a_broken_file_only_the_broken_entry_is_read_again(text, old, slip):
    reader = RuleFileReader("rules.yaml")
    before = reader.read(text.replace(old, slip))
    assert not before.is_whole
    after = reader.read(text.replace(old, f"{slip}x"))
    entries = list(zip(after.entries, before.entries, strict=True))
    assert [new.parsed is old.parsed is not None for new, old in entries] == [False] + [True] * (
        len(entries) - 1
    )
    check(after.text, "", reader)


SIGNS = ("\n", "  ", "- ", '"', "'", "[", "]", "{", "}", ": ", "#", " #", ",", "|", ">", "\t", "%", "? ", " ")
WORDS = (
    "&a ",
    "*a",
    "---",
    "...",
    "\r\n",
    "rules:",
    "id: x",
    "!x ",
    "<<: ",
    "false",
    "- id: n\n",
    "\nfoo:\n  bar: 1\n",
)
RARE = ("\u2028", "\x00", "电", "\ufeff", "\udc80", "\U0001f600")
PIECES = st.sampled_from(SIGNS + WORDS + RARE)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([INJECTION, SUCCESS, STATES]), st.data())
def test_any_change_of_a_text_reads_as_the_whole_does(text, data):
    reader = RuleFileReader("rules.yaml")
    for _step in range(data.draw(st.integers(1, 3))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.integers(0, 12)))
        text = text[:start] + data.draw(PIECES) + text[end:]
        check(text, "", reader)
