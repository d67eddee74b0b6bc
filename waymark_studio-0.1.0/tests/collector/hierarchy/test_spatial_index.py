"""The hit test agrees with looking at every node, and picks what a person means."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from collector.hierarchy.parse import parse_tree
from collector.hierarchy.spatial_index import SpatialIndex
from collector.model.geometry import Point, Rect
from collector.model.tree import Node, Tree
from tests.helpers.dumps import hierarchy, large_dump, node


def index_of(*roots: str) -> SpatialIndex:
    return SpatialIndex(parse_tree(hierarchy(*roots)))


def test_the_topmost_node_wins_and_the_stack_goes_down_to_the_root() -> None:
    index = index_of(
        node(
            node(text="row", clickable="true", bounds="[0,0][100,50]"),
            node(text="button", clickable="true", bounds="[80,10][100,40]"),
        )
    )
    assert [n.text for n in index.stack(Point(90, 20))] == ["button", "row", ""]
    assert index.at(Point(90, 20)).text == "button"
    assert index.at(Point(5000, 20)) is None


def test_drawing_order_given_by_the_phone_wins_over_document_order() -> None:
    index = index_of(
        node(
            node(text="floating", clickable="true", drawing_order="2", bounds="[0,0][50,50]"),
            node(text="list", clickable="true", drawing_order="1", bounds="[0,0][50,50]"),
        )
    )
    assert index.at(Point(10, 10)).text == "floating"


def test_a_bare_overlay_lets_what_it_covers_show_through() -> None:
    overlay = node(bounds="[0,0][1080,2400]")
    button = node(text="Buy", clickable="true", bounds="[0,0][100,50]")
    assert index_of(node(button, overlay)).at(Point(10, 10)).text == "Buy"
    panel = node(clickable="true", bounds="[0,0][1080,2400]")
    assert index_of(node(button, panel)).at(Point(10, 10)).text == ""


def test_an_icon_in_a_row_is_hit_before_the_row() -> None:
    icon = node(class_="android.widget.ImageView", bounds="[0,0][20,20]")
    index = index_of(node(node(icon, text="row", clickable="true", bounds="[0,0][100,50]")))
    assert index.at(Point(5, 5)).short_class == "ImageView"


def test_empty_invisible_and_scrolled_away_parts_are_not_hit() -> None:
    index = index_of(
        node(
            node(text="empty", bounds="[5,5][5,9]"),
            node(text="inverted", bounds="[50,50][0,0]"),
            node(text="hidden", visible_to_user="false", bounds="[0,0][50,50]"),
            node(node(text="long", bounds="[0,0][100,900]"), scrollable="true", bounds="[0,0][100,500]"),
            bounds="[0,0][1000,1000]",
        )
    )
    assert index.at(Point(6, 6)).text == "long"
    assert [n.text for n in index.stack(Point(6, 600))] == [""]
    assert "hidden" not in {n.text for n in index.inside(Rect(0, 0, 2000, 2000))}


def test_a_list_scrolled_out_of_another_hides_its_rows_but_one_without_a_place_does_not() -> None:
    row = node(text="row", bounds="[0,0][9,9]")
    gone = node(row, scrollable="true", bounds="[0,500][9,600]")
    assert index_of(node(gone, scrollable="true", bounds="[0,0][9,9]")).at(Point(1, 1)).text == ""
    holder = node(row, scrollable="true", bounds="[0,0][0,0]")
    assert index_of(node(holder, scrollable="true", bounds="[0,0][9,9]")).at(Point(1, 1)).text == "row"


def _oracle(tree: Tree, point: Point) -> list[Node]:
    def visible(node: Node) -> Rect | None:
        box = node.bounds
        for above in node.ancestors():
            clip = above.bounds if above.flag("scrollable") else None
            if box is not None and clip is not None and not clip.is_empty:
                box = box.intersection(clip)
        return box

    hit = [node for node in tree if (box := visible(node)) is not None and box.contains(point)]
    return hit[::-1]


_NUMBERS = st.integers(-5, 30)
_BOXES = st.tuples(_NUMBERS, _NUMBERS, _NUMBERS, _NUMBERS).map(lambda b: f"[{b[0]},{b[1]}][{b[2]},{b[3]}]")
_NODES = st.recursive(
    st.builds(lambda box: node(bounds=box), _BOXES),
    lambda inner: st.builds(
        lambda box, below, scroll: node(*below, bounds=box, scrollable=scroll),
        _BOXES,
        st.lists(inner, max_size=4),
        st.sampled_from(["true", "false"]),
    ),
    max_leaves=20,
)


@settings(deadline=None)
@given(_NODES, _NUMBERS, _NUMBERS)
def test_stack_agrees_with_looking_at_every_node(root: str, x: int, y: int) -> None:
    tree = parse_tree(hierarchy(root))
    index = SpatialIndex(tree)
    stack = index.stack(Point(x, y))
    assert stack == _oracle(tree, Point(x, y))
    hit = index.at(Point(x, y))
    assert (hit is None) == (not stack)
    assert hit is None or hit in stack


def test_large_trees_agree_too() -> None:
    tree = parse_tree(large_dump(2000))
    assert len(tree) == 2000
    index = SpatialIndex(tree)
    for x in range(0, 1080, 97):
        for y in range(0, 2400, 181):
            assert index.stack(Point(x, y)) == _oracle(tree, Point(x, y))
