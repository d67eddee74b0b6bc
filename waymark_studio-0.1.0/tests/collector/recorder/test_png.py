"""PNG files of the recorder's own making hold the pixels they were given, for every reader."""

from __future__ import annotations

import io

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from collector.recorder.png import PngEncoder, encode_png, encode_small_png


@given(
    width=st.integers(1, 40),
    height=st.integers(1, 40),
    seed=st.integers(0, 999),
    levels=st.sampled_from((2, 256)),
    encode=st.sampled_from((encode_png, encode_small_png)),
)
def test_two_readers_give_back_every_pixel(
    width: int, height: int, seed: int, levels: int, encode: PngEncoder
) -> None:
    pixels = np.random.default_rng(seed).integers(0, levels, (height, width, 3), np.uint8)

    written = encode(pixels)

    image = Image.open(io.BytesIO(written))
    image.verify()
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(written))), pixels)
    by_opencv = cv2.imdecode(np.frombuffer(written, np.uint8), cv2.IMREAD_COLOR)
    assert np.array_equal(cv2.cvtColor(by_opencv, cv2.COLOR_BGR2RGB), pixels)


def test_rows_that_do_not_lie_together_are_taken_as_they_are_seen() -> None:
    whole = np.random.default_rng(1).integers(0, 256, (20, 30, 3), np.uint8)
    part = whole[2:18:2, 5:25]

    assert np.array_equal(np.asarray(Image.open(io.BytesIO(encode_png(part)))), part)


@pytest.mark.parametrize("shape", [(2, 2, 4), (0, 5, 3), (5, 0, 3)])
def test_what_is_no_rgb_picture_is_refused(shape: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="not an RGB image"):
        encode_png(np.zeros(shape, np.uint8))


def test_the_small_encoder_needs_fewer_bytes_for_a_screen() -> None:
    screen = np.full((400, 200, 3), 245, np.uint8)
    rng = np.random.default_rng(2)
    for top in range(20, 380, 40):
        screen[top : top + 12, 20:120] = rng.integers(0, 2, (12, 100, 1), np.uint8) * 200

    assert len(encode_small_png(screen)) < len(encode_png(screen))
