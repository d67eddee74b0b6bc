"""Dumps made to be slow: refused in a sentence after bounded work, or cut with a sentence."""

from __future__ import annotations

import json

import pytest

from collector.hierarchy import fast_reader, json_views, tree_builder
from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.flat_reader import read_flat
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.tree_builder import MAX_ATTRIBUTES
from collector.hierarchy.xpath.find import find_xpath

_NODE = '<node index="0" text="a" bounds="[0,0][1,1]" />'
_LIMIT = 100


@pytest.fixture
def few_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (tree_builder, fast_reader, json_views):
        monkeypatch.setattr(module, "MAX_NODES", _LIMIT)


def _views(count: int) -> str:
    view = {"bounds": [[0, 0], [1, 1]], "children": []}
    return json.dumps([{**view, "children": [*range(1, count)]}, *[view] * (count - 1)])


@pytest.mark.parametrize(
    "dump",
    [
        "<n " * 400,
        "<n >" * 400,
        '<hierarchy rotation="0">' + "<node " * 400,
        '<hierarchy rotation="0">' + _NODE * (_LIMIT + 1) + "</hierarchy>",
        '<hierarchy rotation="0"><!-- -->' + _NODE * (_LIMIT + 1) + "</hierarchy>",
        "<hierarchy>" + "<android.view.View>" * 200 + "</android.view.View>" * 200 + "</hierarchy>",
        _views(_LIMIT + 1),
        "[" + "{}," * 500 + "{}]",
    ],
)
@pytest.mark.usefixtures("few_nodes")
def test_a_dump_of_too_many_nodes_is_refused_in_a_sentence(dump: str) -> None:
    with pytest.raises(HierarchyError, match=r"too many nodes.*more than 100;"):
        parse_tree(dump)


@pytest.mark.parametrize("dump", [f'<hierarchy rotation="0">{_NODE * _LIMIT}</hierarchy>', _views(_LIMIT)])
@pytest.mark.usefixtures("few_nodes")
def test_as_many_as_allowed_are_read(dump: str) -> None:
    assert len(parse_tree(dump)) == _LIMIT


@pytest.mark.parametrize("end", [" /></hierarchy>", " />"])
def test_attributes_beyond_the_limit_are_left_out_with_a_sentence(end: str) -> None:
    many = " ".join(f'a{number}="x"' for number in range(50_000))
    dump = f'<hierarchy rotation="0"><node {many} text="Sign in" bounds="[0,0][9,9]"{end}'
    tree = parse_tree(dump)
    (node,) = tree.nodes
    assert len(node.attributes) == MAX_ATTRIBUTES
    assert node.attributes["text"] == "Sign in"
    assert node.bounds is not None
    assert "more than 1000 attributes; 49002 were left out" in " ".join(tree.repairs)
    assert find_xpath(tree, "//node[@text='Sign in' and @a0='x']") == [node]
    assert find_xpath(tree, "//node[@a49999]") == []
    assert [len(row) for row in read_flat(dump.encode()).rows] == [2 * MAX_ATTRIBUTES]
