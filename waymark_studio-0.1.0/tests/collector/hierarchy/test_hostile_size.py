"""Dumps made to be slow: refused in a sentence after bounded work, or cut with a sentence."""

from __future__ import annotations

import json

import pytest

from collector.hierarchy import fast_reader, flat_reader, json_views, lenient_reader, tree_builder
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


@pytest.mark.parametrize(
    "dump",
    [
        f'<hierarchy rotation="0"><node text="{"a" * 300}" bounds="[0,0][9,9]" /></hierarchy>',
        f'<hierarchy rotation="0"><node text="{"a" * 300}" bounds="[0,0][9,9]">',
        f'<hierarchy><!-- --><node text="{"&amp;" * 300}" bounds="[0,0][9,9]" /></hierarchy>',
        f'<hierarchy><node text="{"&#xd83d;&#xde00;" * 300}" bounds="[0,0][9,9]" /></hierarchy>',
        json.dumps([{"text": "a" * 300, "bounds": [[0, 0], [9, 9]]}]),
    ],
)
def test_a_value_beyond_the_limit_is_cut_with_a_sentence(monkeypatch: pytest.MonkeyPatch, dump: str) -> None:
    for module in (tree_builder, fast_reader, flat_reader):
        monkeypatch.setattr(module, "MAX_VALUE", 200)
    tree = parse_tree(dump)
    assert len(tree.nodes[0].text) == 200
    assert tree.nodes[0].bounds is not None
    assert "more than 200 characters was left out (1 times)" in " ".join(tree.repairs)
    (row,) = read_flat(dump.encode()).rows
    assert max(map(len, row)) == 200


@pytest.mark.parametrize(
    "dump",
    [
        "<hierarchy>" + "<" * 9000,
        "<hierarchy>" + "</a>" * 9000,
        "<hierarchy>" + "<!a[b>" * 9000,
        '<hierarchy><node text="' + "&" * 9000 + '" /></hierarchy>',
        "<hierarchy><node " + 'a="x" ' * 9000 + "/>",
        "<hierarchy><node " + " ".join(f'a{number}="x"' for number in range(9000)) + " />",
        "<hierarchy>" + "<a>" * 99 + "x<b/>" * 9000,
    ],
)
def test_a_dump_of_nothing_but_damage_is_refused_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch, dump: str
) -> None:
    monkeypatch.setattr(lenient_reader, "_MAX_REPAIRS", 1000)
    with pytest.raises(HierarchyError, match=r"too damaged to read.*more than 1,000 repairs"):
        parse_tree(dump)


@pytest.mark.parametrize(
    "bounds",
    ["[0,0][1e18,1]", f"[0,0][{'9' * 400},1]", "[NaN,0][1,1]", "[-inf,0][1,1]", "", "[][]", "\ud800"],
)
def test_bounds_that_are_none_leave_a_node_without_a_place(bounds: str) -> None:
    (node,) = parse_tree(f'<hierarchy rotation="0"><node bounds="{bounds}" /></hierarchy>').nodes
    assert node.bounds is None


@pytest.mark.parametrize("corner", [1e300, float("nan"), float("inf"), "x", None, [], 10**400])
def test_corners_that_are_none_leave_a_view_without_a_place(corner: object) -> None:
    (node,) = parse_tree(json.dumps([{"bounds": [[0, 0], [corner, 1]]}])).nodes
    assert node.bounds is None


@pytest.mark.parametrize("encoding", ["utf-7", "no-such", "idna", "unicode_escape", "zip", "rot13"])
def test_an_encoding_a_dump_must_not_have_is_read_all_the_same(encoding: str) -> None:
    head = f'<?xml version="1.0" encoding="{encoding}"?>'.encode()
    dump = head + b'<hierarchy rotation="0"><node text="\xff" bounds="[0,0][1,1]" /></hierarchy>'
    assert len(parse_tree(dump)) == 1
