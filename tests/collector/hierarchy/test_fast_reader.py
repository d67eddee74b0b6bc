"""The fast way in accepts nothing the strict reader refuses, and reads it no differently."""

from __future__ import annotations

import gc
import weakref
from dataclasses import replace
from xml.parsers import expat

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collector.hierarchy.fast_reader import nodes_with, read_fast
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.tree_builder import TreeBuilder
from collector.model.geometry import Rect
from collector.model.tree import Node, Tree
from tests.helpers.dumps import hierarchy, large_dump, node

SAMPLE = hierarchy(
    node(
        node(text='R&D <b> "x"', bounds="[0,0][5,5]"),
        node(node(text="购物\U0001f6d2"), text="a > b\nc", NAF="true", bounds="[-3,0][5,5]"),
    ),
    rotation=1,
)


def strict(text: str) -> list[Node] | None:
    builder = TreeBuilder()
    reader = expat.ParserCreate("utf-8")
    reader.StartElementHandler, reader.EndElementHandler = builder.start, builder.end
    try:
        reader.Parse(text.encode(), True)
    except expat.ExpatError:
        return None
    return list(builder.finish(None, []))


def assert_agrees(text: str) -> bool:
    result = read_fast(text.encode(), text)
    if result is None:
        return False
    expected = strict(text)
    assert expected is not None, text
    assert [_details(node) for node in result.nodes] == [_details(node) for node in expected]
    return True


def _details(node: Node) -> tuple[object, ...]:
    return list(node.attributes.items()), node.path, node.depth, node.order, node.bounds, len(node.children)


QUOTED = SAMPLE.replace('text="a &gt; b&#10;c"', """text='12 results for "a=poster", R&amp;D'""")
"""As uiautomator writes a value that has double quotes."""


@pytest.mark.parametrize(
    "text", [SAMPLE, QUOTED, large_dump(300).decode(), SAMPLE.replace("><node", ">\n  <node")]
)
def test_what_uiautomator_writes_goes_the_fast_way(text: str) -> None:
    assert assert_agrees(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("</node></node>", "</node>"),
        ("</hierarchy>", "</hierarchy>UI hierchary dumped to: /dev/tty"),
        ("</hierarchy>", ""),
        (' text="', ' text="" text="'),
        (' text="', ' junk text="'),
        (' text="', ' text = "'),
        (' text="', ' text="'[:-1] + "'"),
        ("&amp;", "&"),
        ("&amp;", "&#0;"),
        ("&amp;", "&#55357;"),
        ("&amp;", "&nbsp;"),
        ("R&amp;D", "\x01"),
        ("R&amp;D", "\uffff"),
        ("&lt;", "<"),
        ("/>", "/>words"),
        ("<node", "<!-- x --><node"),
        ("<node", "<nod"),
        ('rotation="1">', 'rotation="1"/>'),
        ('bounds="[0,0][5,5]"', 'bounds="here"'),
        ("class=", "cla ss="),
        ("><", ">x<"),
        ("?><hierarchy", "?><!DOCTYPE hierarchy><hierarchy"),
    ],
)
def test_what_is_unusual_is_left_to_the_strict_reader(old: str, new: str) -> None:
    assert old in SAMPLE
    assert not assert_agrees(SAMPLE.replace(old, new, 1))
    assert not assert_agrees(SAMPLE.replace(old, new))


_BITS = st.sampled_from(
    [
        '"',
        "'",
        "='",
        "<",
        ">",
        "/",
        "/>",
        " ",
        "=",
        "&",
        "&amp;",
        "&#9;",
        "x",
        "\n",
        "</node>",
        '<node a="b" />',
        ' index="1"',
    ]
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(QUOTED)), st.integers(0, 6), _BITS), min_size=1, max_size=3))
def test_however_a_dump_is_changed_the_two_ways_agree(edits: list[tuple[int, int, str]]) -> None:
    text = QUOTED
    for at, length, bit in edits:
        text = text[:at] + bit + text[at + length :]
    assert_agrees(text)


def test_attributes_are_a_mapping_like_any_other() -> None:
    result = read_fast(SAMPLE.encode(), SAMPLE)
    assert result is not None
    attributes = result.nodes[1].attributes
    assert attributes["text"] == 'R&D <b> "x"'
    assert attributes.get("none") is None
    assert attributes.get("none", "x") == "x"
    assert "class" in attributes
    assert len(attributes) == len(list(attributes)) == 17
    assert attributes == dict(attributes)
    with pytest.raises(KeyError):
        attributes["none"]


def test_a_tree_that_nobody_has_is_gone_at_once_and_a_node_of_it_finds_its_parents_all_the_same() -> None:
    tree = parse_tree(SAMPLE.encode())
    deepest = max(tree.nodes, key=lambda node: node.depth)
    path, above = deepest.path, [node.order for node in deepest.ancestors()]
    assert len(above) == 2
    root = weakref.ref(tree.nodes[0])
    gc.disable()
    try:
        del tree
        assert root() is None
    finally:
        gc.enable()
    assert [node.order for node in deepest.ancestors()] == above
    assert deepest.path == path
    assert deepest.parent is deepest.parent
    assert deepest.parent is not None
    assert deepest in deepest.parent.children


def test_nodes_are_made_when_somebody_looks_at_one() -> None:
    tree = parse_tree(large_dump(40))
    assert nodes_with(tree, "text", "nowhere") == []
    assert len(tree) == 40
    with pytest.raises(AttributeError):
        Tree.nodes.__get__(tree)  # type: ignore[attr-defined]  # the slot is empty
    first = tree.nodes[0]
    assert tree.nodes[0] is first
    turned = replace(tree, rotation=1)
    assert (turned.nodes, len(turned)) == (tree.nodes, 40)
    assert nodes_with(turned, "text", "nowhere") is None


def test_bounds_of_the_hierarchy_are_not_taken_for_those_of_a_node_without() -> None:
    first, second = node(bounds="[1,2][3,4]"), node().replace(' bounds="[0,0][1080,2400]"', "")
    dump = hierarchy(second, first).replace("<hierarchy ", '<hierarchy bounds="[0,0][9,9]" ')

    assert [node.bounds for node in parse_tree(dump)] == [None, Rect(1, 2, 3, 4)]


@pytest.mark.parametrize(
    "head",
    [
        "",
        '<?xml version="1.0" encoding="utf-8"?>\n',
        "<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n",
        "<?xml version='1.0'?>",
    ],
)
def test_any_usual_declaration_or_none_takes_the_fast_way(head: str) -> None:
    dump = head + SAMPLE.split("?>", 1)[1].replace("><", ">\n  <")

    result = read_fast(dump.encode(), dump)

    assert result is not None
    expected = strict(dump)
    assert expected is not None
    assert [dict(node.attributes) for node in result.nodes] == [dict(node.attributes) for node in expected]
    assert [node.bounds for node in result.nodes] == [node.bounds for node in expected]
    assert [node.path for node in result.nodes] == [node.path for node in expected]


@pytest.mark.parametrize(
    "head",
    [
        "<?XML version='1.0'?>",
        "<?xml version='1.0'?>\u00a0",
        "<?xml version='1.0'?>\x0b",
        "<?xml?>",
        "\n<?xml version='1.0'?>",
    ],
)
def test_declarations_that_are_none_do_not(head: str) -> None:
    dump = head + SAMPLE.split("?>", 1)[1]

    assert strict(dump) is None
    assert read_fast(dump.encode(), dump) is None


def test_attributes_of_a_long_tag_are_those_of_a_short_one() -> None:
    long = SAMPLE.replace('text="', 'text="' + "a" * 9000, 1)
    short_read, long_read = (read_fast(dump.encode(), dump) for dump in (SAMPLE, long))
    assert short_read is not None
    assert long_read is not None
    for short_node, long_node in zip(short_read.nodes, long_read.nodes, strict=True):
        for name in ("nothing", "class", "bounds"):
            assert long_node.attributes.get(name, "-") == short_node.attributes.get(name, "-")
    assert max(len(node.text) for node in long_read.nodes) >= 9000
