"""The outline of a tree difference: every node once, and what belongs together below the topmost node."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.diff import diff_trees
from collector.hierarchy.difference_groups import (
    NodeDifference,
    NodeDifferenceKind,
    count_by_kind,
    group_differences,
    texts_below,
)
from collector.hierarchy.parse import parse_tree
from collector.model.tree import Tree
from tests.helpers.dumps import hierarchy, node

PAGE = node(
    node(text="Title", resource_id="a:id/title", bounds="[0,0][9,2]"),
    node(text="Sort", resource_id="a:id/sort", bounds="[0,2][9,4]"),
    resource_id="a:id/page",
)
DIALOG = node(
    node(text="Battery low", resource_id="a:id/message"),
    node(
        node(text="Ignore", resource_id="a:id/no"),
        node(text="Secret", password="true"),
        resource_id="a:id/bar",
    ),
    resource_id="a:id/dialog",
)


def tree(*parts: str) -> Tree:
    return parse_tree(hierarchy(node(*parts)))


def listed(before: Tree, after: Tree) -> tuple[NodeDifference, ...]:
    return group_differences(diff_trees(before, after))


def everything(differences: tuple[NodeDifference, ...]) -> list[NodeDifference]:
    return [inner for each in differences for inner in (each, *everything(each.below))]


def test_nodes_that_were_added_together_are_one_difference_that_counts_them() -> None:
    (dialog,) = listed(tree(PAGE), tree(PAGE, DIALOG))
    assert (dialog.kind, dialog.node.short_id, dialog.count) == (NodeDifferenceKind.ADDED, "dialog", 5)
    assert [each.node.short_id for each in dialog.below] == ["message", "bar"]
    assert texts_below(dialog) == ("Battery low", "Ignore"), "the text of a password is left out"
    assert texts_below(dialog, most=1) == ("Battery low",)


def test_removed_nodes_stand_behind_what_they_stood_behind() -> None:
    before = tree(node(text="a", resource_id="i:a"), DIALOG, node(text="b", resource_id="i:b"))
    after = tree(node(text="a", resource_id="i:a"), node(text="b", resource_id="i:b", enabled="false"))
    removed, changed = listed(before, after)
    assert (removed.kind, removed.after, removed.count) == (NodeDifferenceKind.REMOVED, None, 5)
    assert changed.attributes == {"enabled": ("true", "false")}


def test_content_that_was_scrolled_is_one_difference() -> None:
    (moved,) = listed(
        tree(node(node(text="x", bounds="[0,50][9,60]"), resource_id="i:list", bounds="[0,50][9,90]")),
        tree(node(node(text="x", bounds="[0,20][9,30]"), resource_id="i:list", bounds="[0,20][9,60]")),
    )
    assert (moved.kind, moved.count) == (NodeDifferenceKind.MOVED, 2)
    assert moved.move is not None
    assert moved.move.by == (0, -30)


def test_the_attributes_that_say_most_come_first() -> None:
    (changed,) = listed(
        tree(node(resource_id="i:a", bounds="[0,0][1,1]", enabled="true")),
        tree(node(resource_id="i:a", bounds="[0,0][2,2]", enabled="false")),
    )
    assert list(changed.attributes) == ["enabled", "bounds"]


def test_a_wrapper_is_added_and_what_it_wraps_has_moved() -> None:
    button = node(text="Pay", resource_id="i:pay", bounds="[0,0][4,4]")
    differences = listed(tree(button), tree(node(button, resource_id="i:card")))
    assert [each.kind for each in differences] == [NodeDifferenceKind.ADDED, NodeDifferenceKind.MOVED]
    assert not differences[0].below


def test_a_chain_deeper_than_the_recursion_limit_is_one_difference() -> None:
    deep = '<node class="v">' * 1500 + "</node>" * 1500
    (added,) = listed(tree(PAGE), tree(PAGE, deep))
    assert added.count == 1500
    assert texts_below(added) == ()


@given(st.lists(st.sampled_from("abcd"), max_size=6), st.lists(st.sampled_from("abcd"), max_size=6))
def test_each_difference_is_listed_once(first: list[str], second: list[str]) -> None:
    def page(names: list[str]) -> Tree:
        rows = (
            node(node(text=name), node(), resource_id="i:row", bounds=f"[0,{place}][9,{place + 1}]")
            for place, name in enumerate(names)
        )
        return tree(*rows)

    diff = diff_trees(page(first), page(second))
    differences = everything(group_differences(diff))
    counted = count_by_kind(diff)
    for kind in NodeDifferenceKind:
        assert len([each for each in differences if each.kind is kind]) == counted[kind]
    assert sum(each.count for each in group_differences(diff)) == sum(counted.values())
    assert len({each.node for each in differences}) == len(differences)
