"""Algorithm 1 of ProBench as it is printed, and actions in words that nobody can edit."""

from __future__ import annotations

import pytest

from collector.hierarchy.parse import parse_tree
from collector.judge.progress.process_information import process_information, structure_description
from collector.model.action import (
    Action,
    Answer,
    Complete,
    Invalid,
    Key,
    OpenApp,
    Scroll,
    Swipe,
    Tap,
    Type,
    Wait,
)  # fmt: skip
from collector.model.geometry import Point
from tests.helpers.steps import step


def node(bounds: str, inside: str = "", **attributes: str) -> str:
    given = " ".join(f'{name.replace("_", "-")}="{value}"' for name, value in attributes.items())
    return f'<node class="android.view.View" bounds="{bounds}" {given}>{inside}</node>'


TREE = parse_tree(
    (
        "<hierarchy>"
        + node(
            "[0,0][100,200]",
            node("[0,0][100,40]", text="Search", content_desc="Search box", clickable="true")
            + node(
                "[0,40][100,100]",
                node("[0,40][50,100]", text="Price")
                + node("[50,40][100,100]", node("[50,40][90,90]", text="deep"))
                + node("[50,60][100,100]", content_desc="low to  high"),
                clickable="true", resource_id="shop:id/filter_icon",
            )
            + node("[0,100][100,200]", node("[10,110][40,140]", clickable="true", resource_id="shop:id/like"),
                   clickable="true", text="Poster"),
            clickable="true", text="everything",
        )
        + "</hierarchy>"
    ).encode()
)  # fmt: skip


@pytest.mark.parametrize(
    ("point", "words"),
    [
        (Point(5, 5), "Search, Search box"),
        # No text and no description: the id and what its children say; what is below them is not theirs.
        (Point(5, 50), "filter_icon, Price, low to high"),
        (Point(20, 120), "like"),
        (Point(80, 180), "Poster"),
        (Point(500, 500), ""),
    ],
)
def test_the_smallest_clickable_node_is_described(point: Point, words: str) -> None:
    assert structure_description(TREE, point) == words


CASES: list[tuple[Action, str]] = [
    (Tap(5, 50), "CLICK filter_icon, Price, low to high"),
    (Tap(500, 500), "CLICK 500, 500"),
    (Type("red lamp", 8), "TYPE red lamp"),
    (Type("secret", 6, redacted=True), "TYPE a hidden text"),
    (Key("enter"), "ENTER"),
    (Key("back"), "BACK"),
    (Key("home"), "KEY home"),
    (Swipe(1, 2, 3, 4), "SWIPE 1, 2 to 3, 4"),
    (Scroll(1, 2, "up"), "SCROLL up"),
    (OpenApp("com.shop", "Shop"), "OPEN_APP Shop"),
    (Wait(100), "WAIT"),
    (Answer("42"), "ANSWER 42"),
    (Complete(), "COMPLETE"),
    (Invalid("{", "malformed", "It is no JSON"), "INVALID It is no JSON"),
]


def test_every_action_is_put_into_words_whatever_its_caption_says() -> None:
    steps = [step(number, action, index=number) for number, (action, _words) in enumerate(CASES)]
    said = process_information(steps, lambda _step: TREE)
    assert [str(item) for item in said] == [words for _action, words in CASES]
    assert [item.index for item in said] == list(range(len(steps)))
    assert process_information([step(0, Tap(7, 8))], lambda _step: None)[0].description == "7, 8"
