"""A field whose lines do not wrap: where its caret is, and how a window scrolls to it."""

from __future__ import annotations

import pytest

from collector.model.geometry import Rect
from collector.virtual.system.windows.window import Window
from collector.virtual.ui import widgets as w
from collector.virtual.ui.carets import caret_place, line_height, nearest_caret, range_boxes
from collector.virtual.ui.carets import field_style as style_of
from collector.virtual.ui.events import Event
from collector.virtual.ui.look import Look
from collector.virtual.ui.theme import TODO

LOOK = Look(TODO, 2.0)
LINES = ["def f():", "", "    return '会议' + " + "x" * 60, "end"] + ["tail"] * 40


def field(text: str) -> w.TextField:
    return w.TextField(
        text=text, kind="multiline", style="plain", mono=True, wrap=False, id="code", on_change=Event("type")
    )


def window(text: str) -> Window:
    lines = w.ScrollList((field(text),), horizontal=True, id="lines", grow=1)
    view = w.Scroll(child=w.Row((w.Text(text="1", width=20), lines), align="start"), id="all")
    shown = Window("test", "activity", "com.example")
    shown.lay("view", lambda: view, LOOK, Rect(0, 0, 400, 300))
    return shown


@pytest.mark.parametrize("caret", [0, 3, 8, 9, 10, 20, 26, 90, 94])
def test_the_caret_nearest_to_its_own_place_is_itself(caret: int) -> None:
    code = field("\n".join(LINES))
    x, y = caret_place(code, LOOK, 1, caret)
    assert nearest_caret(code, LOOK, x, y + 1) == caret


def test_a_place_beside_the_text_gives_the_end_of_its_line() -> None:
    code = field("ab\nlonger\nc")
    tall = line_height(style_of(code, LOOK))
    assert nearest_caret(code, LOOK, 5000, 1.5 * tall) == 9
    assert nearest_caret(code, LOOK, 0, 5000) == 10
    assert nearest_caret(code, LOOK, -5, -5) == 0


def test_a_range_over_lines_has_a_box_for_each() -> None:
    boxes = list(range_boxes(field("abc\n\ndef"), LOOK, 1, 7))
    assert len(boxes) == 3
    assert boxes[0].top == 0
    assert boxes[2].left == 0
    assert boxes[2].right == caret_place(field("abc\n\ndef"), LOOK, 1, 7)[0]


def test_a_window_scrolls_to_the_caret_in_both_directions() -> None:
    text = "\n".join(LINES)
    shown = window(text)
    path, vertical, horizontal = (shown.path_of(name) or "" for name in ("code", "all", "lines"))
    shown.focus(path, len("\n".join(LINES[:3])))
    shown.reveal(path)
    right = shown.offset(horizontal)
    assert right > 0
    shown.focus(path, len(text))
    shown.reveal(path)
    assert shown.offset(horizontal) < right
    down = shown.offset(vertical)
    shown.reveal(path)
    assert shown.offset(vertical) == down > 0, "a caret that is visible moves nothing"
    shown.focus(path, 0)
    shown.reveal(path)
    assert (shown.offset(vertical), shown.offset(horizontal)) == (0, 0)
