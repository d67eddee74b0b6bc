"""Safe loading: plain values only; size, nesting and alias growth have limits, and errors name the line."""

from __future__ import annotations

import time

import pytest

from collector.located_yaml.safe_load import MAX_BYTES, MAX_DEPTH, YamlError, safe_load
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
        ("a: 2026-99-99", "month must be in 1..12"),
        ("a: \x01", "it is not text in UTF-8"),
        (b"\x8e\xff\x00", "it is not text in UTF-8"),
        (b"#" * (MAX_BYTES + 1), "x.yaml is too large to be read: the limit is 16 MB"),
    ],
)  # fmt: skip
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


def test_time_grows_linearly_with_the_aliases() -> None:
    def seconds(count: int) -> float:
        text = "a: &a [1]\nb: [" + "*a," * count + "]\n"
        start = time.perf_counter()
        safe_load(text, "x.yaml")
        return time.perf_counter() - start

    seconds(1000)
    assert seconds(40_000) < 40 * max(seconds(4_000), 0.01)
