"""Give characters that no key of an X keyboard has a spare key, which they keep.

``xdotool type`` maps such a character to a spare key, presses it and maps the next one to the same key. A
client reads the map only when it handles the event of the change, so a busy one would read a later map and
see wrong characters. Keys that keep their character are read right however late; a key gets another character
only when the client has handled all keys before.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_long, c_ubyte, c_uint32, c_ulong, c_void_p

from collector.model.i18n import _
from studio.app.demo.errors import TourError

_FOR_XDOTOOL = 1
"""Spare keys left to xdotool, which looks for one even where it needs none."""
_CLIENT_MESSAGE, _ANSWERS, _LONG_FORMAT = 33, 1 << 17 | 1 << 19, 32
_PATIENCE_S, _INTERVAL_S = 20.0, 0.005


class _ClientMessage(Structure):
    """An XEvent read as an XClientMessageEvent."""

    _fields_ = (
        ("type", c_int), ("serial", c_ulong), ("send_event", c_int), ("display", c_void_p),
        ("window", c_ulong), ("message_type", c_ulong), ("format", c_int), ("data", c_long * 5),
        ("rest_of_the_union", c_long * 12),
    )  # fmt: skip


class SpareKeys:
    """Changes the keyboard map of the display that the environment names, until :meth:`close`."""

    def __init__(self) -> None:
        """Open the display. Raises TourError when that fails."""
        try:
            self._x11, self._xkb = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libxkbcommon.so.0")
        except OSError as error:
            raise TourError(_("The keyboard of the X server cannot be changed"), str(error)) from error
        self._declare()
        self._display = self._x11.XOpenDisplay(None)
        if not self._display:
            raise TourError(_("The keyboard of the X server cannot be changed"))
        self._symbols, self._free = self._read()
        self._given: list[tuple[int, int]] = []
        """Key codes and their key symbols, the next to be recycled first."""
        self._pings = 0

    def _declare(self) -> None:
        x11 = self._x11
        x11.XOpenDisplay.restype, x11.XOpenDisplay.argtypes = c_void_p, [c_char_p]
        x11.XCloseDisplay.argtypes = [c_void_p]
        x11.XFree.argtypes = [c_void_p]
        x11.XDisplayKeycodes.argtypes = [c_void_p, POINTER(c_int), POINTER(c_int)]
        x11.XGetKeyboardMapping.restype = POINTER(c_ulong)
        x11.XGetKeyboardMapping.argtypes = [c_void_p, c_ubyte, c_int, POINTER(c_int)]
        x11.XChangeKeyboardMapping.argtypes = [c_void_p, c_int, c_int, POINTER(c_ulong), c_int]
        x11.XSync.argtypes = [c_void_p, c_int]
        x11.XInternAtom.restype, x11.XInternAtom.argtypes = c_ulong, [c_void_p, c_char_p, c_int]
        x11.XDefaultRootWindow.restype, x11.XDefaultRootWindow.argtypes = c_ulong, [c_void_p]
        x11.XGetInputFocus.argtypes = [c_void_p, POINTER(c_ulong), POINTER(c_int)]
        x11.XSelectInput.argtypes = [c_void_p, c_ulong, c_long]
        x11.XSendEvent.argtypes = [c_void_p, c_ulong, c_int, c_long, POINTER(_ClientMessage)]
        x11.XPending.argtypes = [c_void_p]
        x11.XNextEvent.argtypes = [c_void_p, POINTER(_ClientMessage)]
        self._xkb.xkb_utf32_to_keysym.restype = c_uint32
        self._xkb.xkb_utf32_to_keysym.argtypes = [c_uint32]

    def _read(self) -> tuple[set[int], list[int]]:
        """Return the symbols that keys have, and the codes of keys without any."""
        least, most, columns = c_int(), c_int(), c_int()
        self._x11.XDisplayKeycodes(self._display, byref(least), byref(most))
        count = most.value - least.value + 1
        table = self._x11.XGetKeyboardMapping(self._display, least.value, count, byref(columns))
        width = columns.value
        rows = [set(table[row * width : (row + 1) * width]) - {0} for row in range(count)]
        self._x11.XFree(table)
        free = [least.value + row for row, symbols in enumerate(rows) if not symbols]
        return set().union(*rows), free[_FOR_XDOTOOL:]

    def pieces(self, text: str) -> Iterator[str]:
        """Cut a text where it has more characters without a key than there are spare keys."""
        most, piece, new = len(self._free) + len(self._given), "", set[int]()
        own = self._symbols - {symbol for _code, symbol in self._given}
        for character in text:
            symbol = self._symbol(character)
            if symbol not in own and symbol not in new:
                if len(new) == most:
                    yield piece
                    piece, new = "", set()
                new.add(symbol)
            piece += character
        if piece:
            yield piece

    def prepare(self, text: str) -> None:
        """Make every character of a piece of text one that a key has."""
        needed = dict.fromkeys(self._symbol(character) for character in text)
        self._given.sort(key=lambda given: given[1] in needed)  # what this text needs is recycled last
        new = [symbol for symbol in needed if symbol not in self._symbols]
        if len(new) > len(self._free):
            self._wait_for_client()
        for symbol in new:
            self._give(symbol)
        if new:
            self._x11.XSync(self._display, 0)

    def code(self, character: str) -> int:
        """Return the code of the spare key that has a character; 0 when another key or none has it."""
        symbol = self._symbol(character)
        return next((code for code, given in self._given if given == symbol), 0)

    def _symbol(self, character: str) -> int:
        symbol: int = self._xkb.xkb_utf32_to_keysym(ord(character))
        return symbol

    def _give(self, symbol: int) -> None:
        if self._free:
            code = self._free.pop()
        else:
            code, before = self._given.pop(0)
            self._symbols.discard(before)
        self._x11.XChangeKeyboardMapping(self._display, code, 2, (c_ulong * 2)(symbol, symbol), 1)
        self._given.append((code, symbol))
        self._symbols.add(symbol)

    def _wait_for_client(self) -> None:
        """Wait until the client with the input focus has handled all events so far.

        It answers a ping of the window manager protocol in the order of its events. Raises TourError when
        no answer comes.
        """
        x11, focus, revert = self._x11, c_ulong(), c_int()
        x11.XGetInputFocus(self._display, byref(focus), byref(revert))
        root = x11.XDefaultRootWindow(self._display)
        if focus.value in (0, 1, root):
            return  # no client gets keys
        self._pings += 1
        ping = x11.XInternAtom(self._display, b"_NET_WM_PING", 0)
        protocols = x11.XInternAtom(self._display, b"WM_PROTOCOLS", 0)
        x11.XSelectInput(self._display, root, _ANSWERS)
        message = _ClientMessage(_CLIENT_MESSAGE, 0, 1, self._display, focus.value, protocols, _LONG_FORMAT)
        message.data[:3] = [ping, self._pings, focus.value]
        x11.XSendEvent(self._display, focus.value, 0, 0, byref(message))
        x11.XSync(self._display, 0)
        limit, answer = time.monotonic() + _PATIENCE_S, _ClientMessage()
        while time.monotonic() < limit:
            while x11.XPending(self._display):
                x11.XNextEvent(self._display, byref(answer))
                if answer.type == _CLIENT_MESSAGE and list(answer.data[:2]) == [ping, self._pings]:
                    return
            time.sleep(_INTERVAL_S)
        raise TourError(_("The window does not answer any more"))

    def close(self) -> None:
        """Close the connection to the display."""
        self._x11.XCloseDisplay(self._display)
