"""Flat lists of attributes hold what the tree of the same dump holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from collector.hierarchy.flat_reader import read_flat
from collector.hierarchy.parse import parse_tree
from tests.helpers.dumps import hierarchy, node

SHARED = Path(__file__).resolve().parents[3].parent / "shared" / "data"


def assert_as_parsed(data: bytes) -> bool:
    """Compare both readings; whether the dump was read without a tree."""
    flat, tree = read_flat(data), parse_tree(data)
    rows = [dict(zip(row[::2], row[1::2], strict=True)) for row in flat.rows]
    assert rows == [dict(node.attributes) for node in tree.nodes]
    assert flat.parents == [node.parent.order if node.parent else -1 for node in tree.nodes]
    return flat.plain


def test_real_dumps_are_read_flat_as_they_are_parsed() -> None:
    if not SHARED.exists():
        pytest.skip("needs ../shared/data")
    assert sum(assert_as_parsed(path.read_bytes()) for path in SHARED.glob("dumps/*/dumps/*.xml")) > 150


def test_a_damaged_dump_is_read_by_way_of_a_tree() -> None:
    data = hierarchy(node(text="Drive")).encode()
    assert assert_as_parsed(data)
    assert not assert_as_parsed(data[: -len("</hierarchy>")])


def test_what_is_no_dump_has_no_nodes() -> None:
    assert read_flat(b"").rows == read_flat(b"no hierarchy").rows == []
