"""Screenshots of two states are compared without bars and clocks, unless these are wanted."""

from __future__ import annotations

import cv2
import numpy as np

from collector.comparison.state_difference.heat_map import heat_map
from collector.comparison.state_difference.state_difference import (
    RecordedScreen,
    clocks_of,
    compare_screenshots,
    state_difference,
)
from collector.hierarchy.parse import parse_tree
from tests.helpers.dumps import hierarchy, node
from tests.helpers.hostile_pictures import HUGE, huge_png


def shown(time: str, white: tuple[int, int]) -> RecordedScreen:
    """A launcher with a large clock, and a white stripe between two rows."""
    clock = node(text=time, resource_id="l:id/clock", bounds="[10,60][110,90]")
    tree = parse_tree(hierarchy(node(clock, node(text="12:00", resource_id="l:id/alarm"))))
    picture = np.full((200, 120), 60, np.uint8)
    cv2.putText(picture, time, (12, 84), cv2.FONT_HERSHEY_SIMPLEX, 0.8, 255)
    picture[white[0] : white[1]] = 255
    return RecordedScreen("l", ".Home", tree, cv2.imencode(".png", picture)[1].tobytes())


def test_the_clock_of_an_app_is_left_out_of_pictures_unless_it_is_wanted() -> None:
    before, after = shown("12:04", (0, 0)), shown("17:39", (0, 0))
    assert before.tree is not None
    assert [rect.top for rect in clocks_of(before.tree)] == [60], "an alarm's time is content"
    found = state_difference(before, after)
    assert found.picture is not None
    assert (found.picture.share, found.picture.regions) == (0, ())
    whole = compare_screenshots(before, after, ignores_bars=False)
    assert whole is not None
    assert whole.share > 0


def test_what_differs_most_is_hottest() -> None:
    difference = compare_screenshots(shown("12:04", (0, 0)), shown("12:04", (120, 200)))
    assert difference is not None
    heat = heat_map(difference)
    assert heat.shape == (200, 120, 4)
    assert heat[30, 60, 3] == 0
    assert heat[160, 60, 3] > heat[121, 60, 3] > 0
    blue, green, red, alpha = map(int, heat[160, 60])
    assert red > green
    assert red > blue
    assert red <= alpha, "colours are multiplied by alpha"


def test_without_both_pictures_there_is_no_difference_of_pictures() -> None:
    assert compare_screenshots(shown("1:00", (0, 0)), RecordedScreen()) is None


def test_pictures_that_cannot_be_decoded_say_so_beside_what_else_differs() -> None:
    found = state_difference(shown("1:00", (0, 0)), RecordedScreen("m", ".Main", None, huge_png()))
    assert found.place == ("l/.Home", "m/.Main")
    assert found.picture is None
    assert f"too large: {HUGE} pixels" in found.picture_problem
    assert state_difference(shown("1:00", (0, 0)), RecordedScreen()).picture_problem == ""
