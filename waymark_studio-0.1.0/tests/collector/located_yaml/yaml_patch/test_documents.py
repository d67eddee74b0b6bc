"""Whole documents: what is written is read, and what does not change keeps its lines."""

from __future__ import annotations

import datetime as dt
import itertools
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from collector.located_yaml.safe_load import safe_load
from collector.located_yaml.yaml_patch.documents import (
    changed_document,
    changed_entry,
    has_comments,
    new_document,
    new_entry,
)
from collector.located_yaml.yaml_patch.errors import DocumentError, UnsafeEditError

HARD_TEXTS = (
    "-", "?", ":", "---", "...", "=", "<<", "yes", "NO", "~", "null", "1:30", "0x1f", "1e5", ".5",
    "2026-11-28", "a: b", "a:", "a #b", "#b", "!a", "&a", "*a", "|", "> x", "%", "@x", "`x", "[a", "{b",
    "a, b", "'", '"', " a ", "a\nb\n", "\x00", "\x85", "\u2028", "\ufeff", "\U0001f600", "",
)  # fmt: skip
texts = st.sampled_from(HARD_TEXTS) | st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.dates() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
documents = st.dictionaries(texts, plain, max_size=4)
TEXT = """\
# What we try
title: 'Two rounds'   # of many
entries:
  # the first
  - id: a
    note: "x"  # kept
    after: [b, c]
  - {id: b, note: y}

  # the last
  - id: c
    lines: |
      # no comment
      more
# the end
"""


@settings(max_examples=60, deadline=None)
@given(documents)
@example({text: [text, {text: text}] for text in HARD_TEXTS})
def test_what_is_written_is_read(value: dict[str, Any]) -> None:
    assert safe_load(new_document(value), "") == value
    assert safe_load(new_entry({"id": "a", **value}, 2, "\r\n"), "") == [{"id": "a", **value}]


@settings(max_examples=60, deadline=None)
@given(documents, documents)
def test_a_document_changes_into_any_other(before: dict[str, Any], after: dict[str, Any]) -> None:
    text = new_document(before)
    assert changed_document(text, before) == text
    try:
        assert safe_load(changed_document(text, after), "") == after
    except UnsafeEditError:
        assert safe_load(text, "") == before


_ENTRIES = st.permutations(["a", "b", "c", "d"]).flatmap(
    lambda ids: st.integers(1, 4).map(lambda count: ids[:count])
)


@settings(max_examples=60, deadline=None)
@given(_ENTRIES, st.dictionaries(st.sampled_from("abcd"), st.sampled_from(["z", "# z"])))
def test_entries_keep_their_lines_wherever_they_go(ids: list[str], notes: dict[str, str]) -> None:
    document = yaml.safe_load(TEXT)
    known = {entry["id"]: entry for entry in document["entries"]}
    entries = [{**known.get(name, {"id": name}), **({"note": notes[name]} if name in notes else {})}
               for name in ids]  # fmt: skip
    changed = changed_document(TEXT, {**document, "entries": entries}, ("id",))
    assert yaml.safe_load(changed)["entries"] == entries
    for line in ("# What we try", "title: 'Two rounds'   # of many", "# the end"):
        assert line in changed.splitlines()
    for name, line in (("a", "  # the first"), ("a", "    after: [b, c]"), ("c", "      # no comment")):
        assert (line in changed.splitlines()) == (name in ids)
    assert ("# kept" in changed) == ("a" in ids)


def test_a_changed_value_keeps_its_quotes_and_the_rest_its_lines() -> None:
    document = yaml.safe_load(TEXT)
    document["title"] = "It's three"
    document["entries"][0]["note"] = "y"
    expected = TEXT.replace("'Two rounds'", "'It''s three'").replace('"x"', '"y"')
    assert changed_document(TEXT, document, ("id",)) == expected
    windows = TEXT.replace("\n", "\r\n")
    assert changed_document(windows, document, ("id",)) == expected.replace("\n", "\r\n")


def test_an_empty_document_keeps_its_comments() -> None:
    assert changed_document("# ours\n", {"a": 1}) == "# ours\na: 1\n"
    assert changed_document("{}\n", {"a": 1}) == "a: 1\n"


def test_only_keys_that_differ_are_written() -> None:
    text = "  # mine\n  - id: 7  # a number\n    mood: {kind: good}\n"
    changed = changed_entry(text, {"id": "7", "note": ""}, {"id": "7", "note": "a, b", "after": ["c"]})
    assert changed == text + '    note: "a, b"\n    after: [c]\n'


@pytest.mark.parametrize("text", ["a: 'x # y'\n", 'a: ["# x"]\n', "a: |\n  # x\n"])
def test_a_hash_in_a_value_is_no_comment(text: str) -> None:
    assert not has_comments(text)
    assert has_comments(text + "# y\n")


def test_what_yaml_cannot_hold_is_refused() -> None:
    for value in ("\ud800", object(), itertools.count()):
        with pytest.raises(DocumentError):
            new_document({"a": value})
    with pytest.raises(UnsafeEditError):
        changed_document("a: [\n", {"a": 1})
    assert safe_load(new_document({"a": b"\xff", "b": dt.datetime(2026, 1, 2, 3)}), "")["a"] == b"\xff"
