"""The numbered pictures a tour leaves behind."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QImage

from collector.model.i18n import _
from studio.app.demo.errors import TourError
from studio.app.demo.hands import Hands

_STILL_S = 2.5
_LOOK_EVERY_S = 0.12


class Album:
    """Names pictures ``NN-name-theme-language.png``, with ``-2x`` at scale 2."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []

    def take(self, hands: Hands, place: Sequence[int], name: str, look: str) -> Path:
        """A picture of the window once nothing moves in it; ``look`` is theme, language and scale."""
        path = self.folder / f"{len(self.names) + 1:02d}-{name}-{look}.png"
        if not _still(hands, place).save(str(path)):
            raise TourError(_("The picture could not be written: {path}", path=path))
        self.names.append(path.name)
        return path


def _still(hands: Hands, place: Sequence[int]) -> QImage:
    """Two pictures in a row that are the same; what blinks for ever is taken as it is."""
    limit = time.monotonic() + _STILL_S
    newest = hands.picture(place)
    while time.monotonic() < limit:
        time.sleep(_LOOK_EVERY_S)
        before, newest = newest, hands.picture(place)
        if newest == before:
            break
    return newest
