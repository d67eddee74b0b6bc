"""A tree diff tells what changed and is not led astray by shifted indices."""

from __future__ import annotations

from collector.hierarchy.diff import diff_trees
from collector.hierarchy.parse import parse_tree
from collector.model.tree import Tree
from tests.helpers.dumps import hierarchy, node


def _list(*names: str) -> Tree:
    rows = [
        node(
            node(text=name), resource_id="app:id/row", index=str(place), bounds=f"[0,{place}][9,{place + 1}]"
        )
        for place, name in enumerate(names)
    ]
    return parse_tree(hierarchy(node(*rows)))


def test_the_same_tree_differs_in_nothing() -> None:
    diff = diff_trees(_list("a", "b"), _list("a", "b"))
    assert diff.is_empty
    assert len(diff.matched) == 5


def test_a_row_put_on_top_is_the_only_one_added() -> None:
    diff = diff_trees(_list("a", "b"), _list("new", "a", "b"))
    assert [n.text for n in diff.added] == ["", "new"]
    assert diff.removed == ()
    assert {name for change in diff.changed for name in change.attributes} == {"bounds"}


def test_a_row_taken_away_is_the_only_one_removed() -> None:
    diff = diff_trees(_list("a", "b", "c"), _list("a", "c"))
    assert [n.text for n in diff.removed] == ["", "b"]
    assert diff.added == ()


def test_a_changed_attribute_is_told_with_both_values() -> None:
    before = parse_tree(hierarchy(node(text="Wi-Fi", checked="false", resource_id="a:id/x")))
    after = parse_tree(hierarchy(node(text="Wi-Fi", checked="true", resource_id="a:id/x")))
    (change,) = diff_trees(before, after).changed
    assert change.attributes == {"checked": ("false", "true")}


def test_a_screen_of_another_app_shares_nothing() -> None:
    diff = diff_trees(_list("a"), parse_tree(hierarchy(node(class_="other.View"))))
    assert len(diff.removed) == 3
    assert len(diff.added) == 1
