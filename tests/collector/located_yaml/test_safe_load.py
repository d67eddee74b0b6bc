"""Safe loading: plain values only; size, nesting and alias growth have limits, and errors name the line."""

from __future__ import annotations

import time

import pytest

from collector.located_yaml import safe_load as safe_loading
from collector.located_yaml import tree_builder
from collector.located_yaml.safe_load import MAX_BYTES, MAX_DEPTH, MAX_LOCATED_BYTES, YamlError, safe_load
from collector.located_yaml.source import read_source
from collector.located_yaml.yaml_node import YamlNode

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{chr(ord(name) + 1)}: &{chr(ord(name) + 1)} [{', '.join([f'*{name}'] * 10)}]\n" for name in "abcdefgh"
)


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


def size(node: YamlNode | None) -> int:
    """How many nodes a tree has with its aliases written out."""
    if node is None:
        return 0
    return 1 + sum(map(size, node.items)) + sum(size(key) + size(value) for key, value in node.pairs)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (BOMB, "x.yaml cannot be read: line 6: it would unfold"),
        (f"a: {nested(MAX_DEPTH)}", f"line 1: it is nested more than {MAX_DEPTH} deep"),
        ("a: 1\nb: *c\n", r"line 2: the alias \*c names nothing before it"),
        ("a: &b [*b]", r"line 1: the alias \*b names nothing before it"),
        ("a: 1\nb: [", "line 3: "),
        ("a: !!python/object/apply:os.system ['echo hi > pwned']", "could not determine a constructor"),
        ("a: 1\n---\nb: 1\n", "another document"),
        ("a: 2026-99-99", "is no timestamp"),
        ("a: \x01", "it is not text in UTF-8"),
        (b"\x8e\xff\x00", "it is not text in UTF-8"),
        (b"#" * (MAX_BYTES + 1), "x.yaml is too large to be read: the limit is 16 MB"),
    ],
)  # fmt: skip
@pytest.mark.fault("F23")
def test_what_cannot_be_loaded_is_refused_in_one_line(data: str | bytes, sentence: str) -> None:
    with pytest.raises(YamlError, match=sentence) as refused:
        safe_load(data, "x.yaml")
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("data", ["a: &b [1, 2]\nc: *b\n", b"\xef\xbb\xbfa: [1, 2]\nc: [1, 2]\n"])
def test_aliases_and_a_byte_order_mark_are_read(data: str | bytes) -> None:
    assert safe_load(data, "x.yaml") == {"a": [1, 2], "c": [1, 2]}


def test_the_deepest_text_within_the_limit_is_read_by_both_readers() -> None:
    text = nested(MAX_DEPTH)
    assert safe_load(text, "x.yaml") == read_source(text).root.plain  # type: ignore[union-attr]


@pytest.mark.parametrize("text", [BOMB, f"a: {nested(MAX_DEPTH)}", "a: &b [*b]"])
def test_a_source_has_the_same_limits(text: str) -> None:
    source = read_source(text)
    assert "W101" in [diagnostic.code for diagnostic in source.diagnostics]
    assert size(source.root) < 1000


@pytest.mark.fault("F23")
def test_time_grows_linearly_with_the_aliases() -> None:
    def seconds(count: int) -> float:
        text = "a: &a [1]\nb: [" + "*a," * count + "]\n"
        start = time.thread_time()  # of this thread alone: others may have the processor
        safe_load(text, "x.yaml")
        return time.thread_time() - start

    seconds(1000)
    assert min(seconds(40_000) for _again in range(2)) < 40 * max(seconds(4_000), 0.01)


def test_a_text_of_too_many_values_is_not_blamed_on_aliases(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_loading, "MAX_VALUES", 100)
    text = "rules:\n" + "- a\n" * 200
    with pytest.raises(YamlError, match=r"line 99: .*more than 100 values"):
        safe_load(text, "x.yaml")


def test_a_rule_file_beyond_the_limit_is_refused_once_as_a_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its entries are not tried one by one: that would take as long again for each."""
    monkeypatch.setattr(tree_builder, "MAX_LOCATED_VALUES", 100)
    source = read_source("rules:\n" + "- {id: a, when: {text: b}}\n" * 200)
    assert source.root is None
    (diagnostic,) = source.diagnostics
    assert diagnostic.what == "The file is too large: up to here it has more than 100 values"
    assert diagnostic.place.line > 10
    bomb = read_source(BOMB)
    assert "unfold" in bomb.diagnostics[0].what
    large = read_source("#" * (MAX_LOCATED_BYTES + 1))
    assert large.diagnostics[0].what == "The file is too large: over 4,194,304 characters"
