"""Pictures of the page: equal ones once, scaled and re-encoded so that the file stays small."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass

from PIL import Image

from collector.model.trajectory import Step
from collector.sharing.export_progress import ExportProgress
from collector.sharing.shared_screens import SharedScreens

_SHARE_OF_ALL = 2_400_000
"""Bytes that all pictures take together, as long as each gets at least :data:`_LEAST`."""
_LEAST, _MOST = 14_000, 90_000
"""Bytes that one picture may always take, and that one may take at most."""
_TRIES = ((720, 82), (540, 78), (480, 72), (400, 64), (320, 56), (240, 48))
"""Longest width in pixels and quality, tried in this order until a picture is small enough."""
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

    def encoded(self, progress: ExportProgress) -> list[PagePicture | None]:
        """All pictures by number; None for one that cannot be read. Raises ExportCancelled."""
        count = len(self._sources)
        budget = max(_LEAST, min(_MOST, _SHARE_OF_ALL // max(1, count)))
        pictures = []
        for done, (side, step) in enumerate(self._sources):
            progress.at(done, count)
            picture = self._screens.picture(side, step)
            pictures.append(encoded_picture(picture, budget) if picture is not None else None)
        progress.at(count, count)
        return pictures


def encoded_picture(picture: Image.Image, budget: int) -> PagePicture:
    """The picture as WebP of at most ``budget`` bytes, or the smallest that there is."""
    for width, quality in _TRIES:
        scaled = picture
        if picture.width > width:
            height = max(1, round(picture.height * width / picture.width))
            scaled = picture.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3)
        data = io.BytesIO()
        scaled.save(data, "WEBP", quality=quality, method=_METHOD)
        encoded = PagePicture(scaled.width, scaled.height, data.getvalue())
        if len(encoded.data) <= budget:
            break
    return encoded


def picture_values(picture: PagePicture | None) -> list[object]:
    """A picture as the page reads it: width, height and data; empty for one that cannot be read."""
    if picture is None:
        return []
    return [picture.width, picture.height, base64.b64encode(picture.data).decode("ascii")]
