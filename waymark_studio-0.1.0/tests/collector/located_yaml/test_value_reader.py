"""ValueReader: wrong values are reported with their place and read as empty ones."""

from __future__ import annotations

import pytest

from collector.located_yaml.source import read_source
from collector.located_yaml.value_reader import ValueReader
from collector.located_yaml.yaml_node import YamlNode

TEXT = """\
id: low
count: 3
share: 0.5
on: true
kind: companon
items: [1, 2]
pairs: {a: 1}
nothing:
"""


@pytest.fixture
def root() -> YamlNode:
    node = read_source(TEXT).root
    assert node is not None
    return node


@pytest.fixture
def reader() -> ValueReader:
    reader = ValueReader([])
    reader.rule_id = "low"
    return reader


def test_values_of_the_right_kind_are_read_without_a_report(reader: ValueReader, root: YamlNode) -> None:
    assert reader.text(root, "id") == "low"
    assert (reader.number(root, "count"), reader.number(root, "share")) == (3, 0.5)
    assert reader.flag(root, "on") is True
    assert reader.word(root, "kind", ("companon",)) == "companon"
    assert [item.plain for item in reader.items(root.get("items"))] == [1, 2]
    assert [key.text for key, _value in reader.pairs(root.get("pairs"))] == ["a"]
    assert reader.diagnostics == []


def test_missing_and_null_values_are_empty_without_a_report(reader: ValueReader, root: YamlNode) -> None:
    for key in ("nothing", "absent"):
        assert reader.text(root, key) == ""
        assert reader.word(root, key, ("a",)) == ""
        assert reader.items(root.get(key)) == []
        assert reader.pairs(root.get(key)) == []
    assert reader.number(root, "absent") is None
    assert reader.flag(root, "absent") is False
    assert reader.diagnostics == []


@pytest.mark.parametrize(
    ("method", "key", "empty", "what"),
    [
        ("text", "items", "", "items has to be a text"),
        ("number", "on", None, "on has to be a number"),
        ("number", "id", None, "id has to be a number"),
        ("flag", "count", False, "count has to be true or false"),
    ],
)
def test_wrong_values_are_reported_at_their_place(
    reader: ValueReader, root: YamlNode, method: str, key: str, empty: object, what: str
) -> None:
    assert getattr(reader, method)(root, key) == empty
    (diagnostic,) = reader.diagnostics
    value = root.get(key)
    assert value is not None
    assert (diagnostic.what, diagnostic.place, diagnostic.rule_id) == (what, value.place, "low")


def test_lists_and_mappings_report_with_the_sentence_of_the_caller(
    reader: ValueReader, root: YamlNode
) -> None:
    assert reader.items(root.get("pairs")) == []
    assert reader.pairs(root.get("items"), "Pairs, please") == []
    sentences = [diagnostic.what for diagnostic in reader.diagnostics]
    assert sentences == ["A list was expected here", "Pairs, please"]


def test_a_wrong_word_and_an_unknown_key_offer_the_nearest_known_one(
    reader: ValueReader, root: YamlNode
) -> None:
    assert reader.word(root, "kind", ("companion", "native")) == ""
    reader.check_keys(root, ("id", "counts", "share", "on", "kind", "items", "pairs", "nothing"))
    fixes = [(diagnostic.code, diagnostic.fixes[0].edits[0].text) for diagnostic in reader.diagnostics]
    assert fixes == [("W104", "companion"), ("W105", "counts")]
