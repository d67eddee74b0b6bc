"""Watch what widgets paint: texts that do not fit into the place they are given, or that lie on each other.

Painters of Python call ``drawText`` by its name: it is replaced while a window is painted.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations

import pytest
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QPainter, QTextOption
from PySide6.QtWidgets import QAbstractScrollArea, QWidget

from studio.widgets.painting import NOTHING_LEFT
from tests.helpers.layout_faults import place_of

_SLACK = 2.0
_draw_text = QPainter.drawText


@dataclass(frozen=True)
class PaintedText:
    """A text with the place that it takes on what it was painted on, and the width that it was given."""

    text: str
    place: QRectF
    room: float


@dataclass(frozen=True)
class PaintedTexts:
    """The texts on a widget or a picture."""

    device: object
    texts: list[PaintedText]


@contextmanager
def painted_texts(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[PaintedTexts]]:
    """Note every text that is painted meanwhile."""
    seen: list[PaintedTexts] = []

    def draw(painter: QPainter, *arguments: object) -> object:
        text = _painted_text(painter, arguments)
        device = painter.device()
        if text is not None:
            if not seen or seen[-1].device is not device:
                seen.append(PaintedTexts(device, []))
            seen[-1].texts.append(text)
        return _draw_text(painter, *arguments)  # type: ignore[call-overload]

    with monkeypatch.context() as patch:
        patch.setattr(QPainter, "drawText", draw)
        yield seen


def _painted_text(painter: QPainter, arguments: tuple[object, ...]) -> PaintedText | None:
    """What is drawn; None for a text without a rectangle."""
    rect, *rest = arguments
    words = next((each for each in rest if isinstance(each, str)), "")
    if not isinstance(rect, QRect | QRectF) or not words.strip() or isinstance(rest[-1], QTextOption):
        return None
    given = QRectF(rect)
    flags = rest[0] if isinstance(rest[0], int) else getattr(rest[0], "value", 0)
    taken = painter.boundingRect(given, flags, words)
    return PaintedText(words, painter.worldTransform().mapRect(taken), given.width())


def painted_faults(seen: list[PaintedTexts]) -> list[str]:
    """Texts that are cut, of which nothing is left, that leave their widget, or lie on each other."""
    found = []
    for painted in seen:
        where = place_of(painted.device) if isinstance(painted.device, QWidget) else "a picture"
        for text in painted.texts:
            if text.text == NOTHING_LEFT:
                found.append(f"{where}: nothing is left of a text")
            elif text.place.width() > text.room + _SLACK:
                found.append(f"{where}: {text.text!r} is cut: {text.room:.0f} of {text.place.width():.0f} px")
            elif _leaves(painted.device, text.place):
                found.append(f"{where}: {text.text!r} leaves the widget")
        for one, other in combinations(painted.texts, 2):
            common = one.place & other.place
            if one.text != other.text and common.width() > _SLACK and common.height() > _SLACK:
                found.append(f"{where}: {one.text!r} lies on {other.text!r}")
    return found


def _leaves(device: object, place: QRectF) -> bool:
    """Whether a text is partly outside of its widget; what scrolls may be."""
    if not isinstance(device, QWidget) or isinstance(device.parentWidget(), QAbstractScrollArea):
        return False
    return place.left() < -_SLACK or place.right() > device.width() + _SLACK
