"""Lines of JSON on a socket between a runner and those who watch it."""

from __future__ import annotations

import json
import socket
from collections.abc import Mapping
from typing import Any

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes; a picture of a screen is in one line."""
_BLOCK = 256 * 1024


def encode(line: Mapping[str, Any]) -> bytes:
    """A mapping as a line; half a surrogate pair is escaped, as JSON can."""
    return json.dumps(line, separators=(",", ":")).encode("ascii") + b"\n"


class LineReader:
    """Reads lines from a socket. Raises OSError and, for what is no line of this protocol, ValueError."""

    def __init__(self, connection: socket.socket, longest: int = LONGEST_LINE) -> None:
        self._connection = connection
        self._buffer = bytearray()
        self.longest = longest

    def read(self) -> dict[str, Any] | None:
        """The next line; None at the end."""
        searched = 0
        while (end := self._buffer.find(b"\n", searched)) < 0:
            searched = len(self._buffer)
            if searched > self.longest:
                raise ValueError("the line is too long")
            block = self._connection.recv(_BLOCK)
            if not block:
                return None
            self._buffer += block
        data = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        try:
            line = json.loads(data)
        except RecursionError:
            raise ValueError("the line is nested too deeply") from None
        if not isinstance(line, dict):
            raise ValueError("the line is no JSON object")
        return line
