"""The line discipline of a terminal: echo, line editing, Ctrl+C and Ctrl+D, and CRLF on the way out."""

from __future__ import annotations

import threading

from collector.virtual.shell.pipes import Writer
from collector.virtual.shell.process_table import CancelScope

_INTERRUPT = 0x03
_END = 0x04
_ERASE = (0x08, 0x7F)
_ERASE_LINE = 0x15


class Terminal:
    """A terminal between a client and a shell: reads lines, writes with carriage returns."""

    def __init__(self, screen: Writer, interruption: CancelScope) -> None:
        self._screen = screen
        self._interruption = interruption
        self._condition = threading.Condition()
        self._line = bytearray()
        self._ready = bytearray()
        self._ended = False
        self._echo = bytearray()
        self._cancelled = False

    def before_prompt(self) -> None:
        """Reset the cancellation before the next command."""
        with self._condition:
            self._cancelled = False
            self._interruption.clear()

    def typed(self, data: bytes) -> None:
        """Process keystrokes; echo them together, because each write waits for the client."""
        for byte in data:
            self._key(byte)
        self._flush()

    def _flush(self) -> None:
        echo = bytes(self._echo)
        self._echo.clear()
        if echo:
            self._screen.write(echo)

    def hang_up(self) -> None:
        """End the input."""
        with self._condition:
            self._ended = True
            self._condition.notify_all()

    def read(self, limit: int = 65536) -> bytes:
        """Wait for a line; empty after Ctrl+C, after Ctrl+D on an empty line, or when the client
        disconnected."""
        with self._condition:
            self._condition.wait_for(lambda: self._ready or self._ended or self._cancelled)
            data = bytes(self._ready[:limit])
            del self._ready[:limit]
            return data

    def write(self, data: bytes) -> None:
        self._screen.write(data.replace(b"\n", b"\r\n"))

    def _key(self, byte: int) -> None:
        if byte == _INTERRUPT:
            self._line.clear()
            self._echo += b"^C\r\n"
            self._flush()
            with self._condition:
                self._ready.clear()
                self._cancelled = True
                self._interruption.set()
                self._condition.notify_all()
        elif byte == _END and not self._line:
            self.hang_up()
        elif byte in _ERASE:
            if self._line:
                character = self._line.decode("utf-8", "ignore")[-1:].encode() or b" "
                del self._line[-len(character) :]
                self._echo += b"\b \b"
        elif byte == _ERASE_LINE:
            self._echo += b"\b \b" * len(self._line.decode("utf-8", "ignore"))
            self._line.clear()
        elif byte in b"\r\n":
            self._echo += b"\r\n"
            self._flush()
            with self._condition:
                self._ready += self._line + b"\n"
                self._line.clear()
                self._condition.notify_all()
        elif byte >= 0x20 or byte == 0x09:
            self._line.append(byte)
            self._echo.append(byte)
