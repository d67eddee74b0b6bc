"""A tree written as a dump reads back as it was."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from collector.exchange.source.uiautomator_dump import dump_of
from collector.hierarchy.parse import parse_tree
from collector.hierarchy.tree_builder import TreeBuilder
from collector.model.tree import Tree


def tree_of(shape: list[tuple[int, str]]) -> Tree:
    """Nodes with a text each; the number says how many levels to close before the next."""
    builder = TreeBuilder()
    depth = 0
    for up, text in shape:
        for _level in range(min(up, depth)):
            builder.end("node")
            depth -= 1
        builder.start("node", {"text": text, "bounds": "[0,0][4,8]", "editable": "true"})
        depth += 1
    return builder.finish(None, [])


CHARACTERS = st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff")


@given(
    st.lists(st.tuples(st.integers(0, 3), st.text(CHARACTERS | st.sampled_from("\t\n\r<>&\"'"))), min_size=1)
)
def test_every_text_and_level_survives(shape: list[tuple[int, str]]) -> None:
    tree = tree_of(shape)
    again = parse_tree(dump_of(tree))
    assert again.repairs == ()
    assert [(node.path, node.text, node.bounds) for node in again] == [
        (node.path, node.text, node.bounds) for node in tree
    ]


def test_what_xml_cannot_say_becomes_a_dot_and_unknown_attributes_stay_out() -> None:
    dump = dump_of(tree_of([(0, "a\0b\ud800")]))
    assert b'text="a.b."' in dump
    assert b"editable" not in dump
