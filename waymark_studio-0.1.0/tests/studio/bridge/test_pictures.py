"""Qt images of pictures: in their colours, reduced where they are large, and null where there is none."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QImage

from collector.pictures.errors import PictureTooLarge
from studio.bridge.pictures import WHOLE, image_or_null, read_image, scaled_image, small_image, thumbnail
from tests.helpers.hostile_pictures import black_png, cut_png, encoded, huge_png
from tests.helpers.steps import png


@pytest.mark.parametrize("data", [png(40, 80, 90), encoded("BMP"), encoded("GIF", mode="L"), encoded("WEBP")])
def test_an_image_has_32_bits_and_the_colours_of_the_picture(data: bytes) -> None:
    image = read_image(data)
    assert (image.size(), image.format()) == (QSize(40, 80), QImage.Format.Format_RGB32)
    assert image.pixelColor(3, 3) in (QColor(90, 90, 90), QColor(0, 0, 0))


def test_a_picture_that_cannot_be_shown_is_null_or_an_error_with_its_reason() -> None:
    for data in (None, b"", cut_png(), huge_png()):
        assert image_or_null(data).isNull()
        assert thumbnail(data, QSize(20, 40)).isNull()
    with pytest.raises(PictureTooLarge):
        read_image(huge_png())


def test_a_large_picture_is_reduced_unless_it_is_wanted_whole() -> None:
    data = black_png(4000, 3000)
    assert read_image(data).size() == QSize(2000, 1500)
    assert read_image(data, WHOLE).size() == QSize(4000, 3000)
    fitted = scaled_image(data, QSize(100, 100), Qt.AspectRatioMode.KeepAspectRatio)
    assert (fitted.width(), round(fitted.height(), -1)) == (100, 70)


def test_only_a_small_picture_is_decoded_on_the_gui_thread() -> None:
    assert small_image(png(360, 800)).size() == QSize(360, 800)
    assert small_image(black_png(4000, 3000)).isNull()
    assert small_image(cut_png()).isNull()
    assert small_image(b"").isNull()
