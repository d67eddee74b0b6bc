"""Pictures of the page: equal ones once, scaled and re-encoded so that the file stays small."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image

from collector.model.trajectory import Step
from collector.sharing.export_progress import ExportProgress
from collector.sharing.shared_screens import SharedScreens

_LEAST, _MOST = 10_000, 90_000
"""Bytes that one picture may always take, and that one may take at most."""
_TRIES = ((720, 82), (540, 78), (480, 72), (400, 64), (320, 56), (240, 48), (180, 40))
"""Longest width in pixels and quality, tried in this order until a picture is small enough."""
_BETTER = 1.4
"""How many times the bytes a picture has at least with the try before."""
_FALLS = (1.15, 1.15, 1.5, 1.5, 1.75, 1.75)
"""How many times the bytes of the next try a picture of a screen has at most."""
_METHOD = 2
"""Effort of the WebP encoder, 0 to 6."""


@dataclass(frozen=True, slots=True)
class PagePicture:
    """An encoded picture."""

    width: int
    height: int
    data: bytes


class PagePictures:
    """Collects the pictures of a page by content."""

    def __init__(self, screens: SharedScreens) -> None:
        self._screens = screens
        self._numbers: dict[str, int] = {}
        self._sources: list[tuple[int, Step]] = []

    def number(self, side: int, step: Step) -> int | None:
        """The number of a step's picture; None when it has none."""
        key = self._screens.picture_key(side, step)
        if not key:
            return None
        if key not in self._numbers:
            self._numbers[key] = len(self._sources)
            self._sources.append((side, step))
        return self._numbers[key]

    def encoded(self, room: int, progress: ExportProgress) -> list[PagePicture | None]:
        """All pictures by number, in ``room`` bytes as far as there is room for each.

        None for one that cannot be read. Raises ExportCancelled.
        """
        count = len(self._sources)
        budget = max(_LEAST, min(_MOST, room // max(1, count)))
        pictures: list[PagePicture | None] = []
        first = 0
        for done, (side, step) in enumerate(self._sources):
            progress.at(done, count)
            picture = self._screens.picture(side, step)
            if picture is None:
                pictures.append(None)
                continue
            encoded, used = encoded_picture(picture, budget, first)
            pictures.append(encoded)
            # Screens of one phone compress alike: a better try is worth its time only where there is room.
            first = max(0, used - 1) if len(encoded.data) * _BETTER <= budget else used
        progress.at(count, count)
        return pictures


def encoded_picture(picture: Image.Image, budget: int, first: int = 0) -> tuple[PagePicture, int]:
    """The picture as WebP of at most ``budget`` bytes, or the smallest that there is.

    Also returns which of :data:`_TRIES` it was; they are tried from number ``first``.
    """
    used = first
    while True:
        width, quality = _TRIES[used]
        scaled = _at_most_wide(picture, width)
        data = io.BytesIO()
        scaled.save(data, "WEBP", quality=quality, method=_METHOD)
        encoded = PagePicture(scaled.width, scaled.height, data.getvalue())
        if len(encoded.data) <= budget or used == len(_TRIES) - 1:
            return encoded, used
        used = _next_try(used, len(encoded.data) / budget)


def _next_try(used: int, excess: float) -> int:
    """The first try after ``used`` that may fit: those before it would be encoded in vain."""
    for at in range(used, len(_FALLS)):
        excess /= _FALLS[at]
        if excess <= 1:
            return at + 1
    return len(_TRIES) - 1


def _at_most_wide(picture: Image.Image, width: int) -> Image.Image:
    if picture.width <= width:
        return picture
    size = width, max(1, round(picture.height * width / picture.width))
    # Many times as fast as a filter of Pillow, and as sharp for a screen that becomes smaller.
    return Image.fromarray(cv2.resize(np.asarray(picture), size, interpolation=cv2.INTER_AREA))


def picture_values(picture: PagePicture | None) -> list[object]:
    """A picture as the page reads it: width, height and data; empty for one that cannot be read."""
    if picture is None:
        return []
    return [picture.width, picture.height, base64.b64encode(picture.data).decode("ascii")]
