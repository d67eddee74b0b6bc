"""Captions keep the app's own words; clicks are described by ProBench's Algorithm 1."""

from __future__ import annotations

import pytest

from collector.hierarchy.captions import caption, click_target, describe_click, takes_text
from collector.hierarchy.parse import parse_tree
from collector.model.action import (
    ACTIONS,
    Action,
    Answer,
    AskUser,
    Complete,
    DoubleTap,
    Drag,
    Impossible,
    Invalid,
    Key,
    LongPress,
    OpenApp,
    Pinch,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)
from collector.model.geometry import Point
from tests.helpers.dumps import hierarchy, node

TREE = parse_tree(
    hierarchy(
        node(
            node(text="Sign in", clickable="true", bounds="[0,0][100,50]"),
            node(
                node(text="Wi-Fi", bounds="[10,60][50,80]"),
                node(text="Home network", bounds="[10,80][50,100]"),
                resource_id="app:id/wifiRow",
                clickable="true",
                bounds="[0,60][100,110]",
            ),
            node(
                class_="android.widget.EditText",
                resource_id="app:id/search_src_text",
                hint="Search products",
                focused="true",
                clickable="true",
                bounds="[0,200][100,250]",
            ),
            node(text="Only words", bounds="[0,300][100,350]"),
            node(
                node(content_desc="Photo", bounds="[0,400][100,450]"),
                node(text="3", bounds="[0,400][20,420]"),
                node(text="Botanical print, set of 3", bounds="[0,450][100,470]"),
                node(text="€ 24.00", bounds="[0,470][100,490]"),
                resource_id="app:id/tile",
                clickable="true",
                bounds="[0,400][100,500]",
            ),
            node(resource_id="app:id/like_button", clickable="true", bounds="[0,600][100,700]"),
        )
    )
)


@pytest.mark.parametrize(
    ("point", "text"),
    [
        (Point(5, 5), "Sign in"),
        (Point(20, 70), "wifi row, Wi-Fi, Home network"),
        (Point(5, 210), "search src text"),
        (Point(5, 310), "Only words"),
        (Point(5, 410), "tile, Photo, 3, Botanical print, set of 3, € 24.00"),
        (Point(5, 610), "like button"),
        (Point(900, 900), ""),
    ],
)
def test_a_click_is_described_by_the_smallest_clickable_node(point: Point, text: str) -> None:
    assert describe_click(TREE, point) == text


def test_a_click_lands_on_the_row_and_not_on_its_label() -> None:
    assert click_target(TREE, Point(20, 70)).short_id == "wifiRow"


CASES: list[tuple[Action, str]] = [
    (Tap(5, 5), "Tap 'Sign in'"),
    (Tap(900, 900), "Tap at 900, 900"),
    (Tap(5, 310), "Tap 'Only words'"),
    (Tap(20, 70), "Tap 'Wi-Fi'"),
    (Tap(5, 410), "Tap 'Botanical print, set of 3'"),
    (Tap(5, 610), "Tap 'like button'"),
    (DoubleTap(5, 5), "Double-tap 'Sign in'"),
    (LongPress(5, 5), "Long-press 'Sign in'"),
    (Type("poster", 6), "Type 'poster' into 'Search products'"),
    (Type("", 0), "Clear 'Search products'"),
    (Type("", 8, redacted=True), "Type a hidden text into 'Search products'"),
    (Key("enter"), "Press Enter"),
    (Key("code:24"), "Press key code:24"),
    (Swipe(0, 900, 0, 100), "Swipe up"),
    (Swipe(0, 0, 90, 10), "Swipe right"),
    (Drag(5, 5, 70, 80), "Drag 'Sign in' to 70, 80"),
    (Scroll(5, 5, "down"), "Scroll down"),
    (Pinch(5, 5, 2.0), "Spread two fingers"),
    (Pinch(5, 5, 0.5), "Pinch two fingers"),
    (OpenApp("com.example.shop", "Shop"), "Open Shop"),
    (OpenApp("com.example.shop"), "Open com.example.shop"),
    (Wait(1500), "Wait 1.5 s"),
    (Answer("42"), "Answer '42'"),
    (Complete(), "Task complete"),
    (Impossible("no shop"), "Task impossible"),
    (AskUser("Which shop?"), "Ask the user 'Which shop?'"),
    (AskUser(), "Ask the user"),
    (Invalid("fly to the moon"), "Invalid action"),
]


@pytest.mark.parametrize(("action", "text"), CASES)
def test_every_action_has_a_caption(action: Action, text: str) -> None:
    assert caption(action, TREE) == text


def test_no_kind_of_action_is_without_a_caption() -> None:
    assert {action.kind for action, _text in CASES} == set(ACTIONS)
    for action, _text in CASES:
        assert caption(action)


def test_a_caption_never_shows_what_is_in_a_password_field() -> None:
    tree = parse_tree(
        hierarchy(node(text="hunter2", password="true", focused="true", resource_id="app:id/password"))
    )
    assert caption(Type("", 7, redacted=True), tree) == "Type a hidden text into 'password'"


def test_a_tap_into_a_password_field_names_the_field_and_not_its_bullets() -> None:
    masked = {"class_": "android.widget.EditText", "password": "true", "clickable": "true", "text": "••••••"}
    named = parse_tree(hierarchy(node(resource_id="shop:id/password", **masked)))
    hinted = parse_tree(hierarchy(node(resource_id="shop:id/p", hint="Password", **masked)))
    assert caption(Tap(5, 5), named) == "Tap 'password'"
    assert caption(Tap(5, 5), hinted) == "Tap 'Password'"


@pytest.mark.parametrize(
    ("attributes", "takes"),
    [
        ('class="android.widget.EditText"', True),
        ('class="android.view.ViewGroup" resource-id="shop:id/search_box"', True),
        ('class="android.view.View" content-desc="搜索商品"', True),
        ('class="android.widget.Button" text="Home" resource-id="shop:id/category"', False),
    ],
)
def test_a_field_or_what_opens_a_search_may_take_text_and_a_button_not(attributes: str, takes: bool) -> None:
    tree = parse_tree(f'<hierarchy rotation="0"><node {attributes} bounds="[0,0][9,9]"/></hierarchy>')
    assert takes_text(tree.nodes[0]) is takes
