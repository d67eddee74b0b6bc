"""JSON lists of views become trees, whatever is wrong in their links."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.hierarchy.errors import HierarchyError
from collector.hierarchy.parse import parse_tree
from collector.model.geometry import Rect

BOX = [[0, 0], [100, 200]]


def view(*children: int, **given_: object) -> dict[str, object]:
    return {"bounds": BOX, "children": list(children), "class": "android.view.View", **given_}


def test_views_are_linked_by_their_places_and_named_as_in_any_dump() -> None:
    views = [view(1, 2), view(text="Buy", clickable=True), view(text=None, is_password=True)]
    for document in (views, {"foreground_activity": "a", "views": views}):
        tree = parse_tree(json.dumps(document).encode())
        assert [node.path for node in tree] == [(0,), (0, 0), (0, 1)]
        assert tree.source == "views"
        assert tree.nodes[1].clickable
        assert tree.nodes[1].text == "Buy"
        assert tree.nodes[2].password
        assert tree.nodes[0].bounds == Rect(0, 0, 100, 200)


def test_views_in_a_ring_are_left_out_and_said() -> None:
    tree = parse_tree(json.dumps([view(), view(2), view(1)]))
    assert len(tree) == 1
    assert "2" in tree.repairs[0]


@pytest.mark.parametrize("text", ["[]", "{}", "[1, 2]", '{"views": 3}', "[" * 100_000, '[{"a": 1}]'])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(HierarchyError):
        parse_tree(text)


@given(
    st.lists(
        st.builds(lambda children: view(*children), st.lists(st.integers(-2, 8), max_size=4)), max_size=8
    )
)
def test_any_links_give_each_view_at_most_once(views: list[dict[str, object]]) -> None:
    try:
        tree = parse_tree(json.dumps(views))
    except HierarchyError:
        return  # none, or all in rings
    else:
        assert len(tree) <= len(views)
        assert len(tree) == len(views) or tree.repairs
