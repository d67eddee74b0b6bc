"""A recorded picture as a frame: decoded only when it has to be drawn."""

from __future__ import annotations

import hashlib
import threading
from functools import cached_property

from collector.device.frame import Frame
from collector.model.geometry import Size
from collector.pictures.decoding import Pixels, rgb_pixels
from collector.pictures.formats import read_picture_file


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

    @cached_property
    def digest(self) -> bytes:
        """Of its file."""
        return hashlib.sha256(self.file.data).digest()

    def _size(self) -> Size:
        return self.file.size
