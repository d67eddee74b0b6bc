"""Limits of a video that a phone sends: a packet that began must end, and packets must show pictures.

A still screen sends nothing for hours, so silence alone is no failure.
"""

from __future__ import annotations

import socket
import time

from collector.device.errors import CaptureFailed
from collector.model.i18n import _

PACKET_S = 10.0
"""How long the rest of a packet may take, at a few kilobytes a second."""
PICTURE_S = 5.0
"""How long packets may arrive of which none is a picture."""
_QUIET_S = 1.0
"""A pause that ends a series of packets: an encoder that starts anew may wait for its first picture."""


class PacketLimit:
    """Read a socket, and end the wait for the rest of a packet that does not come. One thread uses it."""

    def __init__(self, link: socket.socket, seconds: float = PACKET_S) -> None:
        self._link, self._seconds = link, seconds
        self._began: float | None = None

    def receive(self, most: int) -> bytes:
        """Wait for bytes, without a limit between two packets. Raises OSError and CaptureFailed."""
        left = None if self._began is None else self._began + self._seconds - time.monotonic()
        if left is not None and left <= 0:
            raise self._late()
        self._link.settimeout(left)
        try:
            return self._link.recv(most)
        except TimeoutError:
            raise self._late() from None

    def note(self, *, ended: bool, begun: bool) -> None:
        """Say after a read whether a packet ended in it, and whether it has the beginning of another one."""
        if not begun:
            self._began = None
        elif ended or self._began is None:
            self._began = time.monotonic()

    def _late(self) -> CaptureFailed:
        return CaptureFailed(
            _("The phone's video stopped"),
            _("The rest of a packet did not come within {seconds:.0f} s", seconds=self._seconds),
        )


class PictureLimit:
    """Tell when packets arrive without one that is a picture. One thread uses it."""

    def __init__(self, seconds: float = PICTURE_S) -> None:
        self._seconds = seconds
        self._frames = 0
        self._since, self._newest = 0.0, 0.0

    def note(self, frames: int) -> None:
        """Note that data arrived and that there are ``frames`` so far. Raises CaptureFailed after a while."""
        before, self._newest = self._newest, time.monotonic()
        if frames != self._frames or self._newest - before > _QUIET_S:
            self._frames, self._since = frames, self._newest
        elif self._newest - self._since > self._seconds:
            raise CaptureFailed(
                _("The phone's video shows no picture"),
                _("For {seconds:.0f} s it sent what cannot be decoded", seconds=self._seconds),
            )
