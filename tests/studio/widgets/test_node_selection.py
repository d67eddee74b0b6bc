"""One selection of nodes outlives the trees it was made in."""

from __future__ import annotations

import pytest

from studio.widgets.node_selection import NodeSelection
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
