"""Frames are painted pixel for pixel when they fit, and scaled when they do not."""

import gc

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage, QPainter

from collector.model.geometry import Size
from studio.widgets.device_view.transform import ViewTransform
from studio.widgets.device_view.view_frame import FramePainter, ViewFrame

SCREEN = Size(100, 200)


def stripes(width: int, height: int) -> np.ndarray:
    """Blue and red rows, BGRA."""
    pixels = np.zeros((height, width, 4), np.uint8)
    pixels[0::2, :, 0] = 255
    pixels[1::2, :, 2] = 255
    pixels[:, :, 3] = 255
    return pixels


def painted(frame: ViewFrame, transform: ViewTransform) -> QImage:
    target = QImage(transform.view.width, transform.view.height, QImage.Format.Format_RGB32)
    target.fill(Qt.GlobalColor.white)
    painter = QPainter(target)
    FramePainter().paint(painter, frame.image, transform)
    painter.end()
    return target


@pytest.mark.parametrize("apart", [0, 3])
@pytest.mark.parametrize("width", [100, 101, 99])
def test_pixels_are_shown_without_shear_at_any_width_and_distance_of_rows(qapp, width, apart):
    frame = ViewFrame.of_pixels(stripes(width + apart, 200)[:, :width], Size(width, 200))
    gc.collect()
    transform = ViewTransform(Size(width, 200), Size(width, 200))
    image = painted(frame, transform)
    assert {image.pixelColor(x, 10).name() for x in range(width)} == {"#0000ff"}
    assert {image.pixelColor(x, 11).name() for x in range(width)} == {"#ff0000"}


def test_a_frame_of_another_size_is_scaled_down_smoothly(qapp):
    frame = ViewFrame.of_pixels(stripes(100, 200), SCREEN)
    image = painted(frame, ViewTransform.fit(SCREEN, Size(50, 100)))
    color = image.pixelColor(25, 50)
    assert 90 < color.red() < 165
    assert 90 < color.blue() < 165


def test_enlarged_a_lot_pixels_stay_square(qapp):
    frame = ViewFrame.of_pixels(stripes(100, 200), SCREEN)
    transform = ViewTransform.fit(SCREEN, Size(80, 80)).zoomed(8, 40, 40)
    image = painted(frame, transform)
    colors = {image.pixelColor(40, y).name() for y in range(80)}
    assert colors == {"#0000ff", "#ff0000"}


def test_other_pixels_are_refused():
    with pytest.raises(ValueError, match="BGRA"):
        ViewFrame.of_pixels(np.zeros((10, 10, 3), np.uint8), Size(10, 10))
    with pytest.raises(ValueError, match="contiguous"):
        ViewFrame.of_pixels(stripes(20, 20)[:, ::2], Size(10, 20))
    with pytest.raises(ValueError, match="contiguous"):
        ViewFrame.of_pixels(stripes(20, 20)[::-1], Size(20, 20))
