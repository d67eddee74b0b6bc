"""Pictures of every kind are decoded as they are, and reduced while they are."""

from __future__ import annotations

import io
import threading
import zlib

import numpy as np
import pytest
from PIL import Image

from collector.model.geometry import Size
from collector.pictures.decoding import at_most, covering, decode, exactly, grey_pixels, rgb_pixels
from collector.pictures.errors import PictureDamaged, PictureError
from tests.helpers.hostile_pictures import (
    black_png,
    bomb_png,
    chunk,
    encoded,
    garbage_png,
    png_header,
    png_of,
)
from tests.helpers.steps import png


@pytest.mark.parametrize(
    ("data", "mode", "pixel"),
    [
        (png(shade=70), "L", (70, 70, 70)),
        (encoded("PNG", mode="P"), "RGB", None),
        (encoded("PNG", mode="RGBA"), "RGBA", (0, 0, 0)),
        (encoded("PNG", mode="LA"), "RGBA", (0, 0, 0)),
        (encoded("PNG", mode="1"), "L", (0, 0, 0)),
        (encoded("JPEG", mode="CMYK"), "RGB", (255, 255, 255)),
        (encoded("JPEG", progressive=True), "RGB", (0, 0, 0)),
        (encoded("WEBP"), "RGB", (0, 0, 0)),
        (encoded("WEBP", mode="RGBA", lossless=True), "RGBA", (0, 0, 0)),
        (encoded("BMP"), "RGB", (0, 0, 0)),
        (encoded("GIF", mode="L"), "RGB", (90, 90, 90)),
    ],
)
def test_every_format_and_mode_becomes_grey_or_rgb(data: bytes, mode: str, pixel: object) -> None:
    image = decode(data)
    assert image.mode in (mode, "L")
    shape = (image.height, image.width)
    assert rgb_pixels(data).shape == (*shape, 3)
    assert grey_pixels(data).shape == shape
    assert pixel is None or tuple(rgb_pixels(data)[0, 0]) == pixel


def test_grey_of_16_bits_keeps_its_brightness() -> None:
    rows = b"".join(b"\0" + bytes([200, 7]) * 4 for _row in range(8))
    data = png_of(png_header(4, 8, depth=16), chunk(b"IDAT", zlib.compress(rows)))
    assert set(grey_pixels(data).flat) == {200}


def test_an_animation_is_its_first_frame() -> None:
    first, second = Image.new("RGB", (40, 80), (10, 20, 30)), Image.new("RGB", (40, 80), (200, 0, 0))
    for name in ("GIF", "WEBP", "PNG"):
        options = {"lossless": True} if name == "WEBP" else {}
        data = _saved(first, name, save_all=True, append_images=[second], duration=40, **options)
        assert np.abs(rgb_pixels(data)[0, 0].astype(int) - (10, 20, 30)).max() < 4, name


def test_a_reduced_picture_is_averaged() -> None:
    stripes = np.zeros((80, 40, 3), np.uint8)
    stripes[::2] = 200
    data = _saved(Image.fromarray(stripes), "PNG")
    assert decode(data, exactly(4)).size == (10, 20)
    assert set(grey_pixels(data, exactly(4)).flat) == {100}
    assert decode(data, covering(Size(12, 24))).size == (14, 27)
    assert decode(data, covering(Size(120, 240))).size == (40, 80)
    assert decode(data, at_most(1000)).size == (20, 40)
    assert decode(data, at_most(4000)).size == (40, 80)


@pytest.mark.parametrize("factor", [2, 3, 5, 8, 11])
@pytest.mark.parametrize("name", ["JPEG", "PNG"])
def test_every_format_is_reduced_to_the_same_size(name: str, factor: int) -> None:
    reduced = decode(encoded(name, 401, 800), exactly(factor))
    assert reduced.size == (-(-401 // factor), -(-800 // factor))


def test_pixels_that_unpack_to_far_more_than_the_picture_are_left_alone() -> None:
    assert decode(bomb_png()).size == (4, 8)


def test_what_cannot_be_decoded_says_so_with_its_size() -> None:
    truncated = png_of(png_header(4, 8), chunk(b"IDAT", zlib.compress(bytes(45))[:-8]))
    for data in (garbage_png(), truncated, encoded("WEBP")[:60] + b"\xff" * 400):
        with pytest.raises(PictureDamaged):
            decode(data)


def test_large_pictures_are_decoded_one_at_a_time() -> None:
    data = black_png(3100, 3000)
    together, met = threading.Barrier(2), []

    def meet(_size: Size) -> int:
        try:
            together.wait(0.2)
        except threading.BrokenBarrierError:
            return 8
        met.append("another thread")
        return 8

    threads = [threading.Thread(target=decode, args=(data, meet)) for _one in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not met


def test_no_random_damage_escapes_as_another_error() -> None:
    random = np.random.default_rng(7)
    samples = [encoded(name) for name in ("PNG", "JPEG", "WEBP", "BMP", "GIF")]
    for sample in samples:
        for _turn in range(60):
            data = bytearray(sample)
            for at in random.integers(0, len(data), 3):
                data[at] = random.integers(0, 256)
            try:
                image = decode(bytes(data[: random.integers(8, len(data) + 1)]))
            except PictureError:
                continue
            assert image.mode in ("L", "RGB", "RGBA")


def _saved(image: Image.Image, name: str, **options: object) -> bytes:
    data = io.BytesIO()
    image.save(data, name, **options)
    return data.getvalue()
