"""An id is like another one by its name; that both are of one company's apps is no similarity."""

from __future__ import annotations

from collector.hierarchy.parse import parse_tree
from collector.rules.evaluation.near_miss import nearest_node
from collector.rules.evaluation.state_view import StateView


def view(*ids: str) -> StateView:
    nodes = "".join(f'<node resource-id="{node_id}" class="a.B" bounds="[0,0][9,9]"/>' for node_id in ids)
    return StateView(parse_tree(f"<hierarchy>{nodes}</hierarchy>".encode()))


def test_another_name_in_a_package_that_begins_alike_is_no_near_miss() -> None:
    here = view("com.waymark.launcher:id/date", "com.waymark.launcher:id/search")
    assert nearest_node("resource-id='com.waymark.shop:id/cart'", here) is None


def test_nearly_the_same_name_is_one_whatever_the_package() -> None:
    miss = nearest_node(
        "resource-id='com.waymark.shop:id/cart_button'", view("a:id/x", "com.other:id/cart_buton")
    )
    assert miss is not None
    assert miss.actual == "com.other:id/cart_buton"
