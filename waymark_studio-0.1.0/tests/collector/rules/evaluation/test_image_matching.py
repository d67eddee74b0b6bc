"""Images are found where they are, at other sizes, and not where they are not."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image, ImageDraw

from collector.model.geometry import Rect
from collector.rules.evaluation.image_matching import ImageFiles, look_for
from collector.rules.grammar.errors import RuleError
from tests.helpers.hostile_pictures import HUGE, huge_png

RgbImage = npt.NDArray[np.uint8]
HEART = Rect(240, 400, 320, 480)


def screen(*, heart: bool = True, colour: str = "crimson") -> RgbImage:
    """A drawn screen with lines of grey blocks and, when asked for, a heart."""
    image = Image.new("RGB", (480, 800), "white")
    draw = ImageDraw.Draw(image)
    for row in range(8):
        draw.rectangle((20, 40 + row * 90, 180 + row * 10, 70 + row * 90), fill=(200 - row * 9,) * 3)
        draw.ellipse((400, 40 + row * 90, 440, 80 + row * 90), fill=(90 + row * 12, 120, 180))
    if heart:
        draw.ellipse((244, 404, 284, 444), fill=colour)
        draw.ellipse((276, 404, 316, 444), fill=colour)
        draw.polygon([(246, 430), (314, 430), (280, 476)], fill=colour)
    return np.array(image)


def cut(picture: RgbImage, area: Rect, scale: float = 1.0) -> RgbImage:
    part = Image.fromarray(picture[area.top : area.bottom, area.left : area.right])
    return np.array(
        part.resize((round(part.width * scale), round(part.height * scale)), Image.Resampling.LANCZOS)
    )


def near(area: Rect | None, wanted: Rect, pixels: int = 4) -> bool:
    return area is not None and all(
        abs(a - b) <= pixels
        for a, b in zip(
            (area.left, area.top, area.right, area.bottom),
            (wanted.left, wanted.top, wanted.right, wanted.bottom),
            strict=True,
        )
    )


@pytest.mark.parametrize("scale", [0.55, 0.8, 1.0, 1.3, 1.9])
def test_a_picture_is_found_at_any_size_from_half_to_twice(scale: float) -> None:
    seen = look_for(cut(screen(), HEART, scale), screen())
    assert seen.score > 0.9
    assert near(seen.area, HEART)


def test_a_picture_that_is_not_there_scores_low() -> None:
    assert look_for(cut(screen(), HEART), screen(heart=False)).score < 0.8


def test_the_search_keeps_to_its_region() -> None:
    outside = look_for(cut(screen(), HEART), screen(), Rect(0, 0, 200, 800))
    inside = look_for(cut(screen(), HEART), screen(), Rect(200, 380, 480, 800))
    assert outside.score < 0.8
    assert near(inside.area, HEART)


@pytest.mark.parametrize("shape", [(2, 2, 3), (900, 900, 3), (40, 40, 3)])
def test_odd_templates_are_no_match_and_no_error(shape: tuple[int, int, int]) -> None:
    for method in ("template", "features"):
        assert 0.0 <= look_for(np.full(shape, 7, np.uint8), screen(), None, method).score <= 1.0


def test_features_find_a_picture_that_is_turned() -> None:
    rng = np.random.default_rng(5)
    texture = np.array(
        Image.fromarray(rng.integers(0, 255, (24, 24, 3), np.uint8)).resize(
            (160, 160), Image.Resampling.BICUBIC
        )
    )
    shown = screen(heart=False)
    shown[300:460, 200:360] = np.array(Image.fromarray(texture).rotate(90))
    seen = look_for(texture, shown, None, "features")
    assert seen.score > 0.85
    assert near(seen.area, Rect(200, 300, 360, 460), 6)
    assert look_for(texture, screen(heart=False), None, "features").score < 0.5


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "p.png"
    Image.new("RGB", (8, 8), "red").save(file)
    pictures = ImageFiles(tmp_path)
    assert pictures.load("p.png").shape == (8, 8, 3)
    Image.new("RGB", (9, 9), "red").save(file)
    os.utime(file, ns=(1, 1))
    assert pictures.load("p.png").shape == (9, 9, 3)


@pytest.mark.parametrize("name", ["../secret.png", "/etc/passwd", "missing.png", "broken.png", "."])
def test_files_outside_missing_or_broken_are_refused_in_a_sentence(tmp_path: Path, name: str) -> None:
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n nonsense")
    with pytest.raises(RuleError):
        ImageFiles(tmp_path).load(name)


def test_a_huge_picture_is_refused_with_its_size(tmp_path: Path) -> None:
    (tmp_path / "huge.png").write_bytes(huge_png())
    with pytest.raises(RuleError, match=f"huge.png cannot be read. The picture is too large: {HUGE} pixels"):
        ImageFiles(tmp_path).load("huge.png")


@pytest.mark.parametrize("method", ["template", "features"])
def test_a_picture_is_found_on_a_screen_that_is_searched_reduced(method: str) -> None:
    """The search would take gigabytes of the largest screens."""
    rng = np.random.default_rng(5)
    texture = Image.fromarray(rng.integers(0, 255, (16, 16, 3), np.uint8)).resize((480, 480))
    shown = np.full((3200, 3200, 3), 240, np.uint8)
    shown[2000:2480, 1200:1680] = np.array(texture)
    seen = look_for(np.array(texture), shown, Rect(100, 100, 3200, 3200), method)
    assert seen.score > 0.85
    assert near(seen.area, Rect(1200, 2000, 1680, 2480), 8)
