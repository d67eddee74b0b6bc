"""Flat lists of attributes hold what the tree of the same dump holds."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.flat_reader import _read_plain, _read_uniform, read_flat
from collector.hierarchy.parse import _fast, _strict, parse_tree
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


def _spoiled(rng: random.Random, dump: str) -> str:
    """The dump with one piece of it changed, doubled or gone."""
    at = rng.randrange(len(dump))
    end = at + rng.choice((0, 1, 1, 5, 30))
    signs = ("", '"', "<", ">", "/", " ", "&", "&amp;", "&#10;", "\n", "\t", "é", "=", "\x00")
    put = rng.choice((*signs, "</node>", "<node>", ' text="x"', dump[at:end] * 2))
    return dump[:at] + put + dump[end:]


@pytest.mark.parametrize("seed", range(8))
def test_a_dump_that_is_changed_anywhere_has_the_same_nodes_for_every_reader(seed: int) -> None:
    rng = random.Random(seed)
    inner = node(node(text="R&amp;D"), node(node(text="a  b", content_desc="购物"), text=">"), text="Home")
    for whole in (hierarchy(inner), hierarchy(inner, node()).replace("><", ">\n  <")):
        assert read_flat(whole.encode()).names, "every node has the same attributes"
        for _change in range(30):
            data = _spoiled(rng, whole).encode()
            try:
                assert_as_parsed(data)
            except HierarchyError:
                assert not read_flat(data).rows
            plain, uniform = _read_plain(data), _read_uniform(data)
            if uniform is not None:
                assert plain is not None
                assert (uniform.rows, uniform.parents) == (plain.rows, plain.parents)
            tree = _fast(data.decode(), None, [])
            if tree is not None:
                strict = _strict(data.decode(), None, [])
                assert strict is not None
                assert [dict(each.attributes) for each in tree] == [dict(each.attributes) for each in strict]
                assert [each.depth for each in tree] == [each.depth for each in strict]


def test_what_is_no_dump_has_no_nodes() -> None:
    assert read_flat(b"").rows == read_flat(b"no hierarchy").rows == []
