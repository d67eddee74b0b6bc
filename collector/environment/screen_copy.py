"""A phone's screen as RGB: of each frame only the part that changed is copied."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from collector.model.geometry import Rect, Size
from collector.virtual.system.phone import Phone, ScreenFrame

RgbImage = NDArray[np.uint8]
"""Height x width x 3."""


class ScreenCopy:
    """Keeps one picture, in memory of its own or in ``memory``: bytes enough for the screen, 3 a pixel."""

    def __init__(self, memory: NDArray[np.uint8] | None = None) -> None:
        self._memory = memory
        self._picture: RgbImage = np.zeros((0, 0, 3), np.uint8)
        self._generation = 0

    def forget(self) -> None:
        """The next picture is that of another phone."""
        self._generation = 0

    def of(self, phone: Phone) -> RgbImage:
        """The picture of the screen as it is now: the same array each time, unless the size changed."""
        phone.look(self._generation, 0, self._update)
        return self._picture

    def _update(self, frame: ScreenFrame) -> None:
        place = frame.changed
        height, width = frame.size.height, frame.size.width
        if self._picture.shape[:2] != (height, width):
            self._picture, place = self._room(frame.size), None
        if place is None or self._generation == 0:
            place = Rect(0, 0, width, height)
        rows, columns = slice(place.top, place.bottom), slice(place.left, place.right)
        for channel in range(3):  # numpy copies a channel five times as fast as triples
            self._picture[rows, columns, channel] = frame.rgba[rows, columns, channel]
        self._generation = frame.generation

    def _room(self, size: Size) -> RgbImage:
        shape = (size.height, size.width, 3)
        if self._memory is None:
            return np.zeros(shape, np.uint8)
        return self._memory[: size.height * size.width * 3].reshape(shape)
