"""A recorded picture as a frame: decoded only when it has to be drawn in another size."""

from __future__ import annotations

import threading
from collections.abc import Iterable

from collector.agents.openai.shown_picture import PictureOptions, ShownPicture, draw_picture
from collector.agents.screen_elements import ScreenElement
from collector.device.frame import Frame
from collector.model.geometry import Size
from collector.pictures.decoding import Pixels, rgb_pixels
from collector.pictures.formats import read_picture_file

_PASSED = {"PNG": "image/png", "JPEG": "image/jpeg"}
"""Formats that every trainer reads, and their media types."""


class RecordedFrame(Frame):
    """A picture of any format that is recorded."""

    def __init__(self, data: bytes) -> None:
        """Raises PictureError when it is no picture, or over the limit."""
        self.file = read_picture_file(data)
        self._decoding = threading.Lock()
        self._decoded: Pixels | None = None
        super().__init__(None, sequence=0, received_ns=0)

    @property
    def _pixels(self) -> Pixels:
        """Raises PictureError when it cannot be decoded."""
        with self._decoding:
            if self._decoded is None:
                self._decoded = rgb_pixels(self.file.data)
            return self._decoded

    @_pixels.setter
    def _pixels(self, _pixels: None) -> None:
        """The pixels come with the file."""

    def _size(self) -> Size:
        return self.file.size


def draw_shown(
    frame: Frame, screen: Size, size: Size, options: PictureOptions, elements: Iterable[ScreenElement]
) -> ShownPicture:
    """The picture as a model is shown it; the very file when it has that size and nothing is drawn on it."""
    return _file_of(frame, size, options) or draw_picture(frame, screen, size, options, elements)


def draw_recorded(
    frame: Frame, screen: Size, size: Size, options: PictureOptions, elements: Iterable[ScreenElement]
) -> ShownPicture:
    """The file as it was recorded; resized when it has not the size of the screen, to which places belong."""
    return _file_of(frame, screen, options) or draw_picture(frame, screen, size, options, elements)


def _file_of(frame: Frame, size: Size, options: PictureOptions) -> ShownPicture | None:
    if not isinstance(frame, RecordedFrame) or options.grid or options.marks or options.quality:
        return None
    media_type = _PASSED.get(frame.file.format)
    if media_type is None or frame.file.size != size:
        return None
    return ShownPicture(size, frame.file.data, media_type)
