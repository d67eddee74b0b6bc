"""The selection of a node survives a new tree."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from studio.widgets.node_selection import NodeSelection
from tests.helpers.dumps import hierarchy, node
from tests.helpers.sample_screen import sample_tree


@pytest.fixture
def selection(qapp):
    return NodeSelection()


def test_a_node_of_an_earlier_tree_is_chosen_in_the_one_on_show(selection):
    before, now = sample_tree(), sample_tree()
    selection.set_tree(before)
    selection.set_tree(now)
    selection.select(before.nodes[5])
    assert selection.selected is now.nodes[5]
    selection.hover(before.nodes[6])
    assert selection.hovered is now.nodes[6]


def test_a_node_that_is_no_longer_there_chooses_nothing(selection):
    selection.set_tree(sample_tree())
    gone = sample_tree().nodes[5]
    selection.set_tree(None)
    selection.select(gone)
    assert selection.selected is None


PICTURE = node(resource_id="shop:id/picture", bounds="[0,100][1080,900]")
PLAIN = node(class_="android.widget.FrameLayout", bounds="[0,900][1080,1000]")
SNACKBAR = node(text="Added to cart", bounds="[0,0][1080,100]")


@pytest.mark.parametrize("node_text", [PICTURE, PLAIN])
def test_a_node_others_came_before_stays_selected(selection, node_text):
    before = parse_tree(hierarchy(node(PICTURE, PLAIN)))
    now = parse_tree(hierarchy(node(SNACKBAR, PICTURE, PLAIN)))
    selection.set_tree(before)
    selection.select(before.nodes[1 if node_text is PICTURE else 2])
    selection.set_tree(now)
    assert selection.selected is now.nodes[2 if node_text is PICTURE else 3]


def test_of_several_alike_elsewhere_none_is_guessed(selection):
    twin = node(resource_id="shop:id/row", bounds="[0,0][10,10]")
    moved = [node(resource_id="shop:id/row", bounds=f"[0,{top}][10,{top + 10}]") for top in (50, 70)]
    before = parse_tree(hierarchy(node(node(), twin)))
    selection.set_tree(before)
    selection.select(before.nodes[2])
    selection.set_tree(parse_tree(hierarchy(node(*moved[:1], node(), *moved[1:]))))
    assert selection.selected is None
