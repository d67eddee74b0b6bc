"""The pictures of the documentation are those of one list, small, and compared by what they show."""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image, ImageDraw

from tests.helpers.scripts import script

doc_pictures = script("packaging/pictures", "doc_pictures")
build_site = script("packaging", "build_site")
MOST_BYTES = 200_000


def test_the_list_has_every_picture_and_each_is_shown() -> None:
    listed = {*(f"{name}.png" for name in doc_pictures.PICTURES), doc_pictures.MOVING.name}
    text = "".join(page.read_text(encoding="utf-8") for page in build_site.pages())
    assert {path.name for path in doc_pictures.IMAGES.iterdir()} == listed
    assert set(re.findall(r"images/([\w-]+\.(?:png|webp))\)", text)) == listed


def test_pictures_are_small() -> None:
    limits = {doc_pictures.MOVING.name: doc_pictures.MOVING_BYTES}
    sizes = {path.name: path.stat().st_size for path in doc_pictures.IMAGES.iterdir()}
    assert {name for name, size in sizes.items() if size > limits.get(name, MOST_BYTES)} == set()


def page(path: Path, number: str, *, with_panel: bool = True) -> Path:
    image = Image.new("RGB", (800, 500), "#191B1E")
    draw = ImageDraw.Draw(image)
    draw.text((20, 20), number, fill="white")
    if with_panel:
        draw.rectangle((500, 60, 790, 490), fill="#E6E8EB")
    image.save(path)
    return path


def test_a_number_makes_no_picture_stale_and_a_panel_does(tmp_path: Path) -> None:
    kept = page(tmp_path / "kept.png", "12:01")
    assert doc_pictures.problem(kept, page(tmp_path / "same.png", "23:59")) == ""
    gone = page(tmp_path / "gone.png", "12:01", with_panel=False)
    assert "differs in 32% of its area" in doc_pictures.problem(kept, gone)


def test_a_picture_that_is_missing_or_of_another_size_is_named(tmp_path: Path) -> None:
    fresh = page(tmp_path / "fresh.png", "1")
    assert doc_pictures.problem(tmp_path / "none.png", fresh) == "none.png is missing"
    Image.new("RGB", (400, 250)).save(tmp_path / "small.png")
    assert doc_pictures.problem(tmp_path / "small.png", fresh) == (
        "small.png is (400, 250), the window's (800, 500)"
    )
