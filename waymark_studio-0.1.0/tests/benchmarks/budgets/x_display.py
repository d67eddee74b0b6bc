"""A private X server without a screen: its pixels, and a pointer that presses through XTEST."""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager

_SIZE = "1600x1000x24"
_ALL_PLANES = ctypes.c_ulong(-1).value
_Z_PIXMAP = 2
_LEFT = 1
_POLL_S = 0.0005


def can_run() -> bool:
    """Whether this computer has Xvfb and the libraries of XTEST."""
    return bool(shutil.which("Xvfb") and ctypes.util.find_library("Xtst"))


class XDisplay:
    """A connection to the server named ``name``, as ``:7``. Not thread-safe."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._x11 = ctypes.CDLL(ctypes.util.find_library("X11"))
        self._xtest = ctypes.CDLL(ctypes.util.find_library("Xtst"))
        self._x11.XOpenDisplay.restype = ctypes.c_void_p
        self._x11.XDefaultRootWindow.restype = ctypes.c_ulong
        self._x11.XGetImage.restype = ctypes.c_void_p
        self._x11.XGetPixel.restype = ctypes.c_ulong
        self._display = ctypes.c_void_p(self._x11.XOpenDisplay(name.encode()))
        if not self._display:
            raise OSError(f"no X server at {name}")
        self._root = ctypes.c_ulong(self._x11.XDefaultRootWindow(self._display))

    @property
    def environment(self) -> dict[str, str]:
        """The variables that let a program show its windows here."""
        return {"DISPLAY": self.name, "QT_QPA_PLATFORM": "xcb", "SDL_VIDEODRIVER": "x11"}

    def pixel(self, x: int, y: int) -> tuple[int, int, int]:
        """Red, green and blue on the screen."""
        image = self._x11.XGetImage(
            self._display, self._root, x, y, 1, 1, ctypes.c_ulong(_ALL_PLANES), _Z_PIXMAP
        )
        value = self._x11.XGetPixel(ctypes.c_void_p(image), 0, 0)
        self._x11.XDestroyImage(ctypes.c_void_p(image))
        return value >> 16 & 255, value >> 8 & 255, value & 255

    def move(self, x: int, y: int) -> None:
        self._xtest.XTestFakeMotionEvent(self._display, -1, x, y, ctypes.c_ulong(0))
        self._x11.XFlush(self._display)

    def press(self, is_down: bool) -> None:
        """Press or release the left button."""
        self._xtest.XTestFakeButtonEvent(self._display, _LEFT, int(is_down), ctypes.c_ulong(0))
        self._x11.XFlush(self._display)

    def wait_for(self, x: int, y: int, color: tuple[int, int, int], *, is_away: bool, seconds: float) -> int:
        """Wait until the pixel has the colour, or no longer has it; ``time.monotonic_ns()`` then."""
        end = time.monotonic() + seconds
        while (_distance(self.pixel(x, y), color) > _SAME) is not is_away:
            if time.monotonic() > end:
                raise TimeoutError(f"the pixel at {x},{y} stays {self.pixel(x, y)}, beside {color}")
            time.sleep(_POLL_S)
        return time.monotonic_ns()

    def close(self) -> None:
        self._x11.XCloseDisplay(self._display)


_SAME = 8
"""Difference of a channel that encoding and scaling may cause."""


def _distance(one: tuple[int, int, int], other: tuple[int, int, int]) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


@contextmanager
def x_display() -> Iterator[XDisplay]:
    """A server of its own, ended afterwards."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", _SIZE, "-nolisten", "tcp"],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        display = XDisplay(f":{number}")
        try:
            yield display
        finally:
            display.close()
    finally:
        server.terminate()
        server.wait(20)
