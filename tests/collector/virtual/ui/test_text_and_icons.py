"""Shaped text, icon paths, themes."""

from __future__ import annotations

import pytest

from collector.virtual.ui.drawing.icons import PATHS, icon_path
from collector.virtual.ui.drawing.svg_path import svg_path
from collector.virtual.ui.text import TextStyle, lay_text, natural_width
from collector.virtual.ui.theme import SHOP, TODO

STYLE = TextStyle(20.0, 0xFF000000)


def test_text_breaks_into_lines_and_ends_in_an_ellipsis() -> None:
    words = "a sentence that is much too long for one line of this width"
    full = lay_text(words, STYLE, 150)
    assert full.height >= 4 * 27 - 4
    single = lay_text(words, STYLE, 150, 1)
    assert single.text.endswith("…")
    assert single.height <= 28
    assert single.width <= 150
    assert lay_text("short", STYLE, 150, 1).text == "short"


@pytest.mark.parametrize("text", ["", "\ud83d", "a\0b", "你好", "שלום", "👩‍👩‍👧", "e\u0301" * 300])
def test_any_text_can_be_measured_and_laid(text: str) -> None:
    assert natural_width(text, STYLE) >= 0
    assert lay_text(text, STYLE, 10, 2).height <= 2 * 27 + 1


def test_every_icon_stays_on_its_grid() -> None:
    boxes = {name: icon_path(name).computeTightBounds() for name in PATHS}
    outside = [
        name
        for name, box in boxes.items()
        if min(box.left(), box.top()) < 0.5 or max(box.right(), box.bottom()) > 23.5
    ]
    assert outside == []


@pytest.mark.parametrize("data", ["M1", "M1 2L3", "M 1 2 C 1 2 3"])
def test_broken_path_data_is_refused(data: str) -> None:
    with pytest.raises(ValueError, match="not path data"):
        svg_path(data)


def test_colours_are_roles_or_numbers() -> None:
    assert SHOP.color("primary") == 0xFF00687A
    assert SHOP.color("#12345678") == 0x12345678
    assert SHOP.color("primary@0.5") == 0x8000687A
    with pytest.raises(ValueError, match="not a colour"):
        SHOP.color("puce")


@pytest.mark.parametrize("theme", [SHOP, TODO])
def test_the_dark_palette_is_dark_with_light_words(theme: object) -> None:
    dark = theme.to_dark()  # type: ignore[attr-defined]
    assert dark.color("surface") & 0xFF < 0x30
    assert dark.color("text") & 0xFF > 0xC0
    assert dark.to_dark() is dark
