"""The numbered screenshots of a tour."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtGui import QImage

from collector.model.i18n import _
from studio.app.demo.errors import TourError
from studio.app.demo.input_driver import InputDriver

_LIMIT_S = 2.5
_INTERVAL_S = 0.12


class Screenshots:
    """Saves screenshots as ``NN-name-theme-language.png``.

    ``-2x`` at the end marks scale 2, ``-1280x720`` the small window.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: list[str] = []

    def take(self, driver: InputDriver, rectangle: Sequence[int], name: str, variant: str) -> Path:
        """Save the window once nothing moves in it; ``variant`` is theme, language and scale."""
        path = self.folder / f"{len(self.names) + 1:02d}-{name}-{variant}.png"
        if not _grab_still(driver, rectangle).save(str(path)):
            raise TourError(_("The picture could not be written: {path}", path=path))
        self.names.append(path.name)
        return path


def _grab_still(driver: InputDriver, rectangle: Sequence[int]) -> QImage:
    """Grab until two images in a row are the same, or until time is up."""
    limit = time.monotonic() + _LIMIT_S
    newest = driver.grab(rectangle)
    while time.monotonic() < limit:
        time.sleep(_INTERVAL_S)
        before, newest = newest, driver.grab(rectangle)
        if newest == before:
            break
    return newest
