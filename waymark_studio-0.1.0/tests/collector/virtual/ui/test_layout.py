"""Where widgets go."""

from __future__ import annotations

from collector.virtual.ui import widgets as w
from collector.virtual.ui.layout import Box, lay_out
from collector.virtual.ui.look import Look
from collector.virtual.ui.theme import SETTINGS

LOOK = Look(SETTINGS, 2.0)
FIXED = w.Spacer(width=10, height=10)


def places(box: Box) -> list[tuple[int, int, int, int]]:
    return [(child.x, child.y, child.width, child.height) for child in box.children]


def test_a_column_stretches_its_children_and_shares_what_is_left() -> None:
    column = w.Column((w.Spacer(height=20), w.Spacer(grow=1), w.Spacer(grow=3)), gap=5, padding=10)
    assert places(lay_out(column, LOOK, 200, 300)) == [
        (20, 20, 160, 40),
        (20, 70, 160, 50),
        (20, 130, 160, 150),
    ]


def test_a_row_centres_and_arranges() -> None:
    def at(arrange: w.Arrange) -> list[int]:
        row = w.Row((FIXED, FIXED), arrange=arrange)
        return [x for x, _y, _w, _h in places(lay_out(row, LOOK, 100, 60))]

    assert places(lay_out(w.Row((FIXED,)), LOOK, 100, 60)) == [(0, 20, 20, 20)]
    assert (at("start"), at("center"), at("end"), at("between")) == ([0, 20], [30, 50], [60, 80], [0, 80])


def test_margins_stay_around_a_box() -> None:
    stack = w.Stack((w.Spacer(width=10, height=10, margin=(1, 2, 3, 4)),), at=("end", "end"))
    assert places(lay_out(stack, LOOK, 100, 100)) == [(74, 72, 20, 20)]
    column = w.Column((w.Spacer(height=10, margin=(1, 2, 3, 4)), FIXED))
    assert places(lay_out(column, LOOK, 100, 100)) == [(2, 4, 92, 20), (0, 32, 20, 20)]


def test_flow_breaks_and_grid_divides() -> None:
    flow = w.Flow((FIXED,) * 3, gap=5, line_gap=5)
    assert places(lay_out(flow, LOOK, 60, 100)) == [(0, 0, 20, 20), (30, 0, 20, 20), (0, 30, 20, 20)]
    grid = w.Grid((w.Spacer(height=10),) * 3, columns=2, gap=10, line_gap=5)
    assert places(lay_out(grid, LOOK, 120, 100)) == [(0, 0, 50, 20), (70, 0, 50, 20), (0, 30, 50, 20)]


def test_a_list_overflows_by_what_does_not_fit() -> None:
    assert lay_out(w.ScrollList((w.Spacer(height=100),) * 3), LOOK, 100, 500).overflow == 100
    assert lay_out(w.ScrollList((w.Spacer(height=10),)), LOOK, 100, 500).overflow == 0


def test_a_growing_text_leaves_room_for_what_follows() -> None:
    row = w.Row((w.Text(text="long " * 40, grow=1, max_lines=1), w.Spacer(width=20, height=10)))
    text, spacer = places(lay_out(row, LOOK, 200, 100))
    assert (text[2], spacer[0]) == (160, 160)


def test_a_line_of_words_grows_with_larger_letters_and_a_picture_of_one_does_not() -> None:
    words = w.Column((w.Text(text="Ana Duarte", size=16), w.Text(text="Thank you", size=14)))
    column = w.Column(
        (w.Row((words,), height=44), w.Avatar(initial="A", size=48), w.Row((FIXED,), height=44))
    )

    def heights(scale: float) -> tuple[list[int], int]:
        box = lay_out(column, Look(SETTINGS, 2.0, scale), 400, 800)
        letter = box.children[1].children[0]
        return [place[3] for place in places(box)], letter.height

    (row, picture, empty), letter = heights(1.0)
    assert (row, picture, empty) == (88, 96, 88)
    large, larger_letter = heights(2.0)
    assert large[0] > row
    assert large[1:] == [picture, empty]
    assert abs(larger_letter - letter) <= 1
