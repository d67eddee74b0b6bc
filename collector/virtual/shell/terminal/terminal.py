"""A terminal between a client and a shell: the line discipline of the kernel, and the keys of a line editor.

While a command runs, the terminal echoes, edits lines and turns Ctrl+C into a signal. While the shell reads a
line, and in programs such as ``top``, keys pass as they are (raw).
"""

from __future__ import annotations

import contextlib
import itertools
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

from collector.virtual.shell.pipes import Writer
from collector.virtual.shell.process_table import CancelScope
from collector.virtual.shell.terminal.text_width import text_width

_INTERRUPT, _END, _KILL, _WORD_ERASE, _QUIT = 0x03, 0x04, 0x15, 0x17, 0x1C
_ERASE = (0x08, 0x7F)
_ESCAPE = 0x1B


@dataclass(slots=True)
class TerminalModes:
    """What the terminal does with keys and output; the names are those of ``stty``."""

    icanon: bool = True
    echo: bool = True
    isig: bool = True
    opost: bool = True
    icrnl: bool = True
    others: dict[str, bool] = field(default_factory=dict)
    """Modes without an effect here that a program has set."""


class Terminal:
    """Read lines or keys; write with carriage returns. Thread-safe."""

    def __init__(self, screen: Writer, interruption: CancelScope, number: int = 0) -> None:
        self.name = f"/dev/pts/{number}"
        self.number = number
        self.rows, self.columns = 24, 80
        self.modes = TerminalModes()
        self._screen = screen
        self._interruption = interruption
        self._condition = threading.Condition()
        self._line = bytearray()
        self._ready = bytearray()
        self._at_end = False
        self._hung_up = False
        self._cancelled = False
        self._echo = bytearray()

    def resize(self, rows: int, columns: int) -> None:
        """The client's window has another size; 0 means that the client does not know it."""
        self.rows, self.columns = rows, columns

    @property
    def width(self) -> int:
        """Columns to write in."""
        return self.columns or 80

    def before_prompt(self) -> None:
        """Reset the cancellation before the next command; keys raise no signals now."""
        with self._condition:
            self._cancelled = False
            self._interruption.clear()

    def hang_up(self) -> None:
        """End the input: the client is gone."""
        with self._condition:
            self._hung_up = True
            self._condition.notify_all()

    # ---- output --------------------------------------------------------------------------------

    def write(self, data: bytes) -> None:
        self._screen.write(data.replace(b"\n", b"\r\n") if self.modes.opost else data)

    def put(self, data: bytes) -> None:
        """Write without any change."""
        self._screen.write(data)

    # ---- input ---------------------------------------------------------------------------------

    def typed(self, data: bytes) -> None:
        """Process keystrokes; echo them together, because each write waits for the client."""
        for number in range(len(data)):
            # A key may change the mode for those that follow: Ctrl+C brings the prompt back.
            key = data[number : number + 1]
            if self.modes.icanon:
                self._discipline(key, echo=self.modes.echo)
            else:
                self._pass_keys(key)
        echo, self._echo = bytes(self._echo), bytearray()
        if echo:
            self._screen.write(echo)

    def read(self, limit: int = 65536) -> bytes:
        """Wait for a line, or for any keys in raw mode; empty after Ctrl+C, Ctrl+D or a hang-up."""
        with self._condition:
            self._condition.wait_for(lambda: self._ready or self._at_end or self._hung_up or self._cancelled)
            if not self._ready:
                self._at_end = False
                return b""
            end = self._ready.find(b"\n") + 1 if self.modes.icanon else 0
            size = min(limit, end or len(self._ready))
            data = bytes(self._ready[:size])
            del self._ready[:size]
            return data

    def read_key(self, timeout: float | None = None) -> bytes | None:
        """The next key in raw mode: a character or a whole escape sequence.

        None after ``timeout`` seconds without one; empty when the client hung up.
        """
        with self._condition:
            self._condition.wait_for(lambda: self._key_length() or self._hung_up, timeout)
            length = self._key_length() or (len(self._ready) if self._hung_up else 0)
            if not length:
                return b"" if self._hung_up else None
            key = bytes(self._ready[:length])
            del self._ready[:length]
            return key

    def unread(self, key: bytes) -> None:
        """Make a key the next one that is read."""
        with self._condition:
            self._ready[:0] = key

    @contextlib.contextmanager
    def raw(self, *, signals: bool = False) -> Iterator[None]:
        """Pass keys as they are; what was typed before and not read yet comes first."""
        before = self.modes
        with self._condition:
            self.modes = TerminalModes(icanon=False, echo=False, isig=signals, opost=before.opost)
            self._ready += self._line
            self._line.clear()
        try:
            yield
        finally:
            with self._condition:
                self.modes = before
                pending, self._ready = bytes(self._ready), bytearray()
                # Echoed already, or never to be: keys that came too early are not echoed again.
                if before.icanon:
                    self._discipline(pending, echo=False)
                else:
                    self._ready += pending

    def _key_length(self) -> int:
        """Bytes of the first complete key; 0 when it is not complete."""
        ready = self._ready
        if not ready:
            return 0
        first = ready[0]
        if first == _ESCAPE:
            return _sequence_length(ready)
        length = 1 if first < 0xC0 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4
        return length if len(ready) >= length else 0

    # ---- the line discipline -------------------------------------------------------------------

    def _pass_keys(self, data: bytes) -> None:
        if self.modes.icrnl:
            data = data.replace(b"\r", b"\n")
        if self.modes.echo:
            self._echo += data.replace(b"\n", b"\r\n")
        with self._condition:
            interrupted = self.modes.isig and bytes([_INTERRUPT]) in data
            self._ready += data
            self._condition.notify_all()
        if interrupted:
            self._interrupt()

    def _discipline(self, data: bytes, *, echo: bool) -> None:
        for byte in data:
            shown = self._key(byte)
            if echo:
                self._echo += shown
            if byte in (_INTERRUPT, _QUIT) and self.modes.isig:
                self._interrupt()

    def _key(self, byte: int) -> bytes:
        """Apply one key to the line; return what is echoed."""
        if byte in (_INTERRUPT, _QUIT) and self.modes.isig:
            self._line.clear()
            return b"^C\r\n" if byte == _INTERRUPT else b"^\\\r\n"
        if byte == _END:
            self._finish_line(b"")
            return b""
        if byte in _ERASE:
            return self._erase(1)
        if byte == _KILL:
            return self._erase(len(self._characters))
        if byte == _WORD_ERASE:
            text = self._characters
            return self._erase(len(text) - len(text.rstrip().rpartition(" ")[0]) - (" " in text.rstrip()))
        if byte in b"\r\n" and (byte == 0x0A or self.modes.icrnl):
            self._finish_line(b"\n")
            return b"\r\n"
        self._line.append(byte)
        if byte < 0x20 and byte != 0x09:
            return b"^" + bytes([byte + 0x40])
        return bytes([byte])

    @property
    def _characters(self) -> str:
        return self._line.decode("utf-8", "replace")

    def _erase(self, count: int) -> bytes:
        text = self._characters
        removed = text[len(text) - count :] if count else ""
        self._line = bytearray(text[: len(text) - len(removed)].encode())
        return b"\b \b" * text_width(removed)

    def _finish_line(self, end: bytes) -> None:
        with self._condition:
            self._at_end = not self._line and not end
            self._ready += self._line + end
            self._line.clear()
            self._condition.notify_all()

    def _interrupt(self) -> None:
        echo, self._echo = bytes(self._echo), bytearray()
        if echo:
            self._screen.write(echo)
        with self._condition:
            self._ready.clear()
            if self.modes.isig:
                self._cancelled = True
                self._interruption.set()
            else:
                self._ready.append(_INTERRUPT)
            self._condition.notify_all()


class Terminals:
    """The open terminals of a phone, by number. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[int, Terminal] = {}

    def open(self, screen: Writer, interruption: CancelScope) -> Terminal:
        """A terminal with the lowest free number."""
        with self._lock:
            number = next(number for number in itertools.count() if number not in self._open)
            terminal = self._open[number] = Terminal(screen, interruption, number)
            return terminal

    def close(self, terminal: Terminal) -> None:
        with self._lock:
            self._open.pop(terminal.number, None)


def _sequence_length(data: bytearray) -> int:
    """Length of an escape sequence or of ESC and a key; 0 when more is to come."""
    if len(data) < 2:
        return 0
    if data[1] not in b"[O":
        return 2
    for place in range(2, len(data)):
        if 0x40 <= data[place] <= 0x7E:
            return place + 1
    return 0
