"""Painted widgets in a language that is read from right to left: places are mirrored, words are not.

A widget paints as if from left to right with :func:`painter_of`, a delegate within :func:`mirrored`. What
draws words or pictures turns them over in their place once more: :func:`upright`. What runs from left to
right in every language (time, a graph, a plot, a phone, code) says so itself: :func:`keep_left_to_right`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QLayout, QStyle, QWidget

_RIGHT_TO_LEFT = Qt.LayoutDirection.RightToLeft


def painter_of(widget: QWidget) -> QPainter:
    """A painter on a widget that mirrors where the widget is."""
    painter = QPainter(widget)
    # Qt takes that of the window.
    painter.setLayoutDirection(widget.layoutDirection())
    if widget.layoutDirection() is _RIGHT_TO_LEFT:
        turn_over(painter, widget.rect())
    return painter


@contextmanager
def mirrored(painter: QPainter, rect: QRect) -> Iterator[None]:
    """Paint an item within ``rect``, mirrored where its view is."""
    device = painter.device()
    direction = device.layoutDirection() if isinstance(device, QWidget) else painter.layoutDirection()
    painter.setLayoutDirection(direction)
    if direction is not _RIGHT_TO_LEFT:
        yield
        return
    turn_over(painter, rect)
    yield
    turn_over(painter, rect)


@contextmanager
def upright(painter: QPainter, rect: QRect | QRectF) -> Iterator[None]:
    """Draw words or a picture within ``rect`` as they are read, where it is mirrored."""
    is_mirrored = painter.worldTransform().m11() < 0
    if is_mirrored:
        turn_over(painter, rect)
    yield
    if is_mirrored:
        turn_over(painter, rect)


def turn_over(painter: QPainter, rect: QRect | QRectF) -> None:
    """Mirror all that is drawn from now on around the middle of ``rect``; twice is as before."""
    painter.translate(2 * rect.x() + rect.width(), 0)
    painter.scale(-1, 1)


def logical_point(widget: QWidget, point: QPoint, within: QRect | None = None) -> QPoint:
    """Where a point on the widget is for what was painted mirrored, within the widget or a row of it."""
    if widget.layoutDirection() is not _RIGHT_TO_LEFT:
        return point
    rect = widget.rect() if within is None else within
    return QPoint(2 * rect.x() + rect.width() - 1 - point.x(), point.y())


def visual_rect(widget: QWidget, rect: QRect) -> QRect:
    """Where a part of a widget that was painted with :func:`painter_of` is seen."""
    return QStyle.visualRect(widget.layoutDirection(), widget.rect(), rect)


def leading_margins(layout: QLayout, leading: int, top: int, trailing: int, bottom: int) -> None:
    """Set the margins of a layout, of which Qt does not change sides."""
    is_mirrored = QGuiApplication.layoutDirection() is _RIGHT_TO_LEFT
    left, right = (trailing, leading) if is_mirrored else (leading, trailing)
    layout.setContentsMargins(left, top, right, bottom)


def keep_left_to_right(widget: QWidget) -> None:
    """Let a widget and those in it run from left to right in every language."""
    widget.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
