"""Coordinates carry their screen, and bounds read as Android writes them."""

import pytest

from collector.model.geometry import Point, Position, Rect, Size


def test_a_position_moves_to_a_screen_of_another_size() -> None:
    position = Position(Point(360, 800), Size(720, 1600))
    assert position.on(Size(1080, 2400)) == Point(540, 1200)


def test_bounds_read_and_print_as_android_writes_them() -> None:
    assert str(Rect.parse("[-3,0][1080,2400]")) == "[-3,0][1080,2400]"


@pytest.mark.parametrize("text", ["", "[1,2]", "[1,2][3,x]", "1,2,3,4"])
def test_other_text_is_no_bounds(text: str) -> None:
    with pytest.raises(ValueError, match="not bounds"):
        Rect.parse(text)


def test_the_right_and_bottom_edge_lie_outside() -> None:
    rect = Rect(0, 0, 10, 10)
    assert rect.contains(Point(9, 9))
    assert not rect.contains(Point(10, 9))


def test_rectangles_that_only_touch_share_nothing() -> None:
    assert Rect(0, 0, 10, 10).intersection(Rect(10, 0, 20, 10)) is None
