"""A box is what can be seen of a node: on the screen, inside what scrolls, and under nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.exchange.boxes.node_boxes import BoxChoice, node_boxes, without
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect
from tests.helpers.taught import SCREEN, dump, node

_SIDE = st.integers(0, 30)
RECTS = st.tuples(_SIDE, _SIDE, _SIDE, _SIDE).map(
    lambda n: Rect(min(n[0], n[2]), min(n[1], n[3]), max(n[0], n[2]) + 1, max(n[1], n[3]) + 1)
)
LIST = node("", "[0,0][120,100]", "android.widget.ListView", "{rows}", id="", clickable="false")


def boxes(*nodes: str, **choice: bool) -> dict[str, str]:
    """Text -> box, of the nodes that have a text."""
    tree = parse_tree(dump(*nodes))
    return {each.node.text: str(each.box) for each in node_boxes(tree, SCREEN, BoxChoice(**choice))
            if each.node.text}  # fmt: skip


def test_what_lies_off_the_screen_is_cut() -> None:
    found = boxes(
        node("Half", "[100,10][200,40]"), node("Gone", "[130,10][200,40]"), node("Up", "[0,-9][9,9]")
    )
    assert found == {"Half": "[100,10][120,40]", "Up": "[0,0][9,9]"}


def test_what_is_hidden_or_scrolled_out_is_no_box() -> None:
    rows = node("In", "[0,80][120,130]") + node("Out", "[0,100][120,130]")
    scrolling = LIST.replace("{rows}", rows).replace(
        'clickable="false"', 'clickable="false" scrollable="true"'
    )
    hidden = node("Off", "[0,200][50,220]").replace("enabled", 'visible-to-user="false" enabled')
    assert boxes(scrolling, hidden) == {"In": "[0,80][120,100]"}
    assert set(boxes(scrolling, hidden, visible=False)) == {"In", "Out", "Off"}


def test_what_lies_under_another_element_is_cut_or_gone() -> None:
    row = node("Row", "[0,200][120,240]", clickable="false")
    covered = node("Covered", "[10,230][50,250]", clickable="false")
    bar = node("Bar", "[0,220][120,260]")
    assert boxes(row, covered, bar) == {"Row": "[0,200][120,220]", "Bar": "[0,220][120,260]"}
    # An empty layer hides nothing, nor does what a node itself holds.
    layer = node("", "[0,0][120,260]", "android.widget.FrameLayout", clickable="false", id="")
    inner = node("Inner", "[0,200][120,240]")
    outer = node("Outer", "[0,200][120,240]", inner=inner)
    assert boxes(row, layer) == {"Row": "[0,200][120,240]"}
    assert set(boxes(outer)) == {"Outer", "Inner"}


def test_only_what_can_be_clicked_or_has_no_children() -> None:
    inner = node("Inner", "[0,200][20,240]", clickable="false")
    outer = node("Outer", "[0,200][120,240]", inner=inner)
    assert set(boxes(outer, clickable=True)) == {"Outer"}
    assert set(boxes(outer, leaf=True)) == {"Inner"}


@given(RECTS, RECTS)
def test_what_is_left_is_inside_and_free_where_an_edge_is_covered(box: Rect, area: Rect) -> None:
    left = without(box, area)
    assert (left is None) == area.encloses(box)
    if left is not None:
        assert box.encloses(left)
        if left != box:
            assert left.intersection(area) is None


@pytest.mark.parametrize("bounds", ["", "[5,5][5,9]", "[9,9][3,3]"])
def test_a_node_without_an_area_has_no_box(bounds: str) -> None:
    assert boxes(node("Odd", bounds)) == {}
