"""A tree diff tells what changed and is not led astray by shifted indices."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.diff import diff_trees
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Size
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
    assert diff.changed == ()
    assert {move.by for move in diff.moved} == {(0, 1)}
    assert not any(move.has_other_parent for move in diff.moved)


def test_a_node_under_another_parent_has_moved() -> None:
    button = node(text="Pay", resource_id="a:id/pay", bounds="[0,0][4,4]")
    top = node(resource_id="a:id/top")
    bottom = node(resource_id="a:id/bottom")
    before = parse_tree(hierarchy(node(button, resource_id="a:id/top"), bottom))
    after = parse_tree(hierarchy(top, node(button, resource_id="a:id/bottom")))
    diff = diff_trees(before, after)
    (move,) = diff.moved
    assert move.has_other_parent
    assert (move.before.text, move.after.text, move.by) == ("Pay", "Pay", (0, 0))
    assert not diff.added
    assert not diff.removed


def test_what_only_scaled_with_the_screen_has_not_moved() -> None:
    def shop(unit: int, buy: int) -> Tree:
        return parse_tree(
            hierarchy(
                node(
                    node(text="Buy", bounds=f"[{buy},0][{buy + 3 * unit},{2 * unit}]"),
                    node(text="Sell", bounds=f"[0,{50 * unit}][{30 * unit},{52 * unit}]"),
                    bounds=f"[0,0][{30 * unit},{66 * unit}]",
                )
            )
        )

    sizes = (Size(480, 1056), Size(300, 660))
    before = shop(16, 16)
    assert diff_trees(before, shop(10, 10), sizes).is_empty
    assert diff_trees(before, shop(10, 12), sizes).is_empty  # less than a hundredth of the screen
    assert len(diff_trees(before, shop(10, 10)).moved) == 3
    (move,) = diff_trees(before, shop(10, 60), sizes).moved
    assert (move.after.text, move.by) == ("Buy", (50, 0))
    same = (sizes[0], sizes[0])
    assert [found.by for found in diff_trees(before, shop(16, 17), same).moved] == [(1, 0)]


@given(st.lists(st.sampled_from("abcd"), max_size=6), st.lists(st.sampled_from("abcd"), max_size=6))
def test_each_node_is_matched_or_added_or_removed(first: list[str], second: list[str]) -> None:
    before, after = _list(*first), _list(*second)
    diff = diff_trees(before, after)
    old, new = [old for old, _new in diff.matched], [new for _old, new in diff.matched]
    assert sorted(n.order for n in (*old, *diff.removed)) == list(range(len(before.nodes)))
    assert sorted(n.order for n in (*new, *diff.added)) == list(range(len(after.nodes)))
    back = diff_trees(after, before)
    assert (len(back.added), len(back.removed)) == (len(diff.removed), len(diff.added))


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


def _goods(*rows: tuple[str, str]) -> Tree:
    """A list of goods with a price each; rows and their parts share their ids."""
    return parse_tree(hierarchy(node(*(
        node(node(text=name, resource_id="a:id/title"), node(text=price, resource_id="a:id/price"),
             resource_id="a:id/item")
        for name, price in rows))))  # fmt: skip


def test_rows_that_were_exchanged_are_not_rows_that_changed() -> None:
    diff = diff_trees(_goods(("Mug", "1"), ("Lamp", "2"), ("Tea", "3")), _goods(("Rug", "4"), ("Key", "5")))
    assert not diff.changed
    assert [node.text for node in diff.added if node.text] == ["Rug", "4", "Key", "5"]
    assert [node.text for node in diff.removed if node.text] == ["Mug", "1", "Lamp", "2", "Tea", "3"]


def test_a_row_is_known_by_a_word_of_its_own_when_others_changed() -> None:
    diff = diff_trees(
        _goods(("Mug", "sold out"), ("Lamp", "sold out"), ("Tea", "3")),
        _goods(("Lamp", "2"), ("Rug", "sold out"), ("Mug", "1"), ("Tea", "4")),
    )
    assert [dict(change.attributes) for change in diff.changed] == [
        {"text": ("sold out", "2")}, {"text": ("sold out", "1")}, {"text": ("3", "4")},
    ]  # fmt: skip
    assert [node.text for node in diff.added if node.text] == ["Rug", "sold out"]
    assert not diff.removed


def test_a_list_in_another_language_has_as_many_rows_with_other_words() -> None:
    diff = diff_trees(_goods(("Mug", "one"), ("Lamp", "two")), _goods(("Tasse", "eins"), ("Lampe", "zwei")))
    assert [change.after.text for change in diff.changed] == ["Tasse", "eins", "Lampe", "zwei"]
    assert not diff.added
    assert not diff.removed


def test_a_frame_is_known_under_another_parent_by_an_id_that_only_it_has() -> None:
    frame = node(node(text="x"), resource_id="a:id/frame")
    rows = [node(node(text=text), resource_id="a:id/row") for text in "pq"]
    before = parse_tree(hierarchy(node(frame, *rows, resource_id="a:id/top")))
    after = parse_tree(hierarchy(node(
        node(node(node(text="y"), resource_id="a:id/frame"), node(node(text="r"), resource_id="a:id/row"),
             resource_id="a:id/wrapper"), resource_id="a:id/top")))  # fmt: skip
    diff = diff_trees(before, after)
    assert [move.after.short_id for move in diff.moved] == ["frame"]
    assert [node.short_id for node in diff.removed] == ["", "row", "", "row", ""]
