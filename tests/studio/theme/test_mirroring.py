"""Painted from right to left: places change sides, words and pictures stay readable."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtWidgets import QWidget

from studio.theme.mirroring import keep_left_to_right, logical_point, painter_of, upright

RED, BLUE = QColor("red"), QColor("blue")


class Painted(QWidget):
    """A red bar at the start, and in it a picture that is blue at its left."""

    def paintEvent(self, _event) -> None:
        painter = painter_of(self)
        painter.fillRect(self.rect(), Qt.GlobalColor.white)
        painter.fillRect(QRect(0, 0, 20, 40), RED)
        picture, place = QPixmap(10, 10), QRect(0, 0, 10, 10)
        picture.fill(Qt.GlobalColor.white)
        half = QPixmap(5, 10)
        half.fill(BLUE)
        with upright(painter, place):
            painter.drawPixmap(place.topLeft(), picture)
            painter.drawPixmap(place.topLeft(), half)


def colors(picture: QImage, *places: int) -> list[QColor]:
    return [picture.pixelColor(x, 5) for x in places]


@pytest.fixture
def widget(hosted):
    return hosted(Painted(), 100, 40)


def test_places_are_mirrored_and_pictures_are_not(widget):
    assert colors(widget.grab().toImage(), 2, 15, 90) == [BLUE, RED, QColor("white")]
    widget.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    assert colors(widget.grab().toImage(), 5, 85, 92, 97) == [QColor("white"), RED, BLUE, QColor("white")]
    assert logical_point(widget, QPoint(99, 7)) == QPoint(0, 7)
    assert logical_point(widget, QPoint(10, 7), QRect(10, 0, 30, 10)) == QPoint(39, 7)


def test_what_runs_from_left_to_right_does_so_in_every_window(widget):
    widget.window().setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    keep_left_to_right(widget)
    assert colors(widget.grab().toImage(), 2, 15, 90) == [BLUE, RED, QColor("white")]
    assert logical_point(widget, QPoint(99, 7)) == QPoint(99, 7)
