"""Pictures differ where a person sees it: not in the clock, not in a pixel's shift, not in a scroll."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from collector.comparison.state_difference.heat_map import heat_map
from collector.comparison.state_difference.picture_difference import compare_pictures
from collector.model.geometry import Rect, Size
from collector.pictures.errors import PictureError
from tests.helpers.hostile_pictures import cut_png, huge_png

WIDTH, HEIGHT = 180, 400
Canvas = np.ndarray
WORDS = ("Poster", "Mug", "Lamp shade", "Tea", "Umbrella", "Key ring", "Chair")


def screen(first_row: int = 0, clock: str = "12:04") -> Canvas:
    """A list of 40 rows below a bar, scrolled by ``first_row`` pixels, and a button that stands still."""
    picture = np.full((HEIGHT, WIDTH), 255, np.uint8)
    for row in range(40):
        top = 60 + 30 * row - first_row
        if 40 < top < HEIGHT - 20:
            name = WORDS[row % len(WORDS)] + str(row)
            cv2.putText(picture, name, (20, top), cv2.FONT_HERSHEY_SIMPLEX, 0.5, 0)
            cv2.circle(picture, (150, top - 8), 3 + row % 8, 90, -1)
    picture[:40] = 200
    cv2.putText(picture, clock, (10, 12), cv2.FONT_HERSHEY_SIMPLEX, 0.4, 0)
    cv2.rectangle(picture, (130, 360), (170, 390), 60, -1)
    return picture


def encoded(picture: Canvas) -> bytes:
    return cv2.imencode(".png", picture)[1].tobytes()


def compare(first: Canvas, second: Canvas, bars: list[Rect] | None = None):
    return compare_pictures(encoded(first), encoded(second), bars)


def test_the_same_screen_and_another_clock_differ_in_nothing() -> None:
    found = compare(screen(), screen(clock="12:05"))
    assert (found.share, found.regions, found.shift) == (0, (), (0, 0))
    assert compare(screen(), screen(clock="12:05"), bars=[]).regions


def test_a_shift_by_a_pixel_is_no_difference() -> None:
    assert compare(screen(), np.roll(screen(), 1, axis=1)).share < 0.001


def test_a_dialog_is_one_region() -> None:
    shown = screen()
    cv2.rectangle(shown, (30, 150), (150, 260), 90, -1)
    found = compare(screen(), shown)
    largest = found.regions[0]
    assert (abs(largest.left - 30) <= 2, abs(largest.bottom - 261) <= 2) == (True, True)
    assert found.shift == (0, 0)
    assert 0.1 < found.share < 0.25
    assert found.mask[200, 90]
    assert not found.mask[300, 90]


def test_a_scrolled_list_differs_where_rows_are_new() -> None:
    found = compare(screen(), screen(first_row=90))
    assert found.shift == (0, -90)
    # The rows that left at the top, those that came in from below, and what was under the button.
    uncovered = Rect(120, 260, 180, 305)
    regions = [region for region in found.regions if not uncovered.encloses(region)]
    assert all(region.top > HEIGHT - 130 or region.bottom < 130 for region in regions)
    assert {region.top > HEIGHT - 130 for region in regions} == {True, False}


def test_pictures_of_two_sizes_are_compared_at_the_size_of_the_first() -> None:
    small = cv2.resize(screen(), (WIDTH // 2, HEIGHT // 2), interpolation=cv2.INTER_AREA)
    found = compare(small, screen())
    assert (found.size.width, found.size.height) == (WIDTH // 2, HEIGHT // 2)
    assert (found.share, found.regions) == (0, ())


def test_a_dialog_on_a_screen_of_another_size_is_found_at_its_place() -> None:
    shown = screen()
    cv2.rectangle(shown, (30, 150), (150, 260), 90, -1)
    large = cv2.resize(screen(), (WIDTH * 8 // 5, HEIGHT * 8 // 5), interpolation=cv2.INTER_AREA)
    for first, second, unit in ((large, shown, 1.6), (shown, large, 1)):
        (region,) = compare(first, second).regions
        edges = (region.left, region.top, region.right, region.bottom)
        assert edges == pytest.approx([30 * unit, 150 * unit, 151 * unit, 261 * unit], abs=4 * unit)


def test_a_box_that_is_ticked_is_found_on_a_screen_of_another_size() -> None:
    plain = np.full((2400, 1080), 250, np.uint8)
    ticked = plain.copy()
    cv2.rectangle(ticked, (60, 400), (100, 440), 90, -1)
    small = cv2.resize(plain, (720, 1600), interpolation=cv2.INTER_AREA)
    assert compare(small, plain).regions == ()
    (region,) = compare(ticked, small).regions
    assert Rect(50, 390, 112, 452).encloses(region)


def test_what_is_no_picture_is_compared_with_nothing() -> None:
    for broken in (b"", b"no picture", huge_png(), cut_png()):
        for pair in ((broken, encoded(screen())), (encoded(screen()), broken)):
            with pytest.raises(PictureError):
                compare_pictures(*pair)


def test_large_pictures_are_compared_reduced_and_told_in_their_own_pixels() -> None:
    before = np.full((3200, 3200), 255, np.uint8)
    after = before.copy()
    before[1000:1400, 400:800] = after[2000:2400, 2000:2600] = 0
    found = compare_pictures(
        encoded(before), encoded(after), [Rect(0, 0, 3200, 300)], [Rect(0, 900, 3200, 1500)]
    )
    assert found.mask.shape == (1600, 1600)
    assert (found.size, found.regions) == (Size(3200, 3200), (Rect(2000, 2000, 2600, 2400),))
    assert heat_map(found).shape == (1600, 1600, 4)


def dimmed(picture: Canvas, share: float = 0.58) -> Canvas:
    return (picture * share).astype(np.uint8)


def test_a_dialog_over_a_dimmed_screen_is_what_differs_whichever_comes_first() -> None:
    shown = dimmed(screen())
    cv2.rectangle(shown, (30, 150), (150, 260), 250, -1)
    for found in (compare(screen(), shown), compare(shown, screen())):
        assert 0.1 < found.share < 0.3
        assert found.mask[200, 90]
        assert not found.mask[300:, :120].any()
    assert abs(compare(screen(), shown).brightness - 0.58) < 0.02
    assert abs(compare(shown, screen()).brightness - 1 / 0.58) < 0.05


def test_another_page_on_a_darker_ground_is_not_the_same_page_dimmed() -> None:
    other = np.full((HEIGHT, WIDTH), 150, np.uint8)
    for row, top in enumerate(range(20, HEIGHT, 23)):
        cv2.putText(other, "Settings"[row % 5 :], (60, top), cv2.FONT_HERSHEY_SIMPLEX, 0.6, 20)
    found = compare(screen(), other)
    assert found.brightness == 1
    assert found.share > 0.8


def test_a_page_without_anything_on_it_is_not_another_dimmed() -> None:
    blank = np.full((HEIGHT, WIDTH), 240, np.uint8)
    found = compare(blank, dimmed(blank, 0.5))
    assert (found.brightness, found.share) == (1, 1)


def test_a_plain_dialog_over_rows_that_look_alike_is_not_a_scroll() -> None:
    page = np.full((1200, 540), 245, np.uint8)
    for row in range(28):
        cv2.putText(
            page, f"Row {row} text {row * 7}", (20, 40 + row * 40), cv2.FONT_HERSHEY_SIMPLEX, 0.9, 60, 2
        )
    for behind in (page, dimmed(page)):
        shown = behind.copy()
        cv2.rectangle(shown, (50, 400), (490, 750), 250, -1)
        cv2.putText(shown, "Battery low", (80, 560), cv2.FONT_HERSHEY_SIMPLEX, 1.2, 20, 2)
        found = compare(page, shown)
        assert found.shift == (0, 0)
        assert all(380 < region.top < region.bottom < 770 for region in found.regions)
        assert found.regions
