"""Give characters that no key of an X keyboard has a spare key, which they keep.

``xdotool type`` maps such a character to a spare key, presses it and maps the next one to the same key. A
client reads the map only when it handles the event of the change, so a busy one would read a later map and
see wrong characters. Keys that keep their character are read right however late.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, byref, c_char_p, c_int, c_ubyte, c_uint32, c_ulong, c_void_p

from collector.model.i18n import _
from studio.app.demo.errors import TourError

_FOR_XDOTOOL = 1
"""Spare keys left to xdotool, for a text with more new characters than there are spare keys."""


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

    def prepare(self, text: str) -> None:
        """Make every character of ``text`` one that a key has, as far as there are spare keys."""
        needed = dict.fromkeys(self._symbol(character) for character in text)
        self._given.sort(key=lambda given: given[1] in needed)  # what this text needs is recycled last
        new = [symbol for symbol in needed if symbol not in self._symbols]
        for symbol in new[: len(self._free) + len(self._given)]:
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

    def close(self) -> None:
        """Close the connection to the display."""
        self._x11.XCloseDisplay(self._display)
