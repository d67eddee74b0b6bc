"""The log of a scrcpy server: lines at or above the client's level, errors and warnings on stderr."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

_LEVELS = ("verbose", "debug", "info", "warn", "error")


class ServerLog:
    """Write ``[server] LEVEL: text`` lines with ``out``, and warnings and errors with ``err``."""

    def __init__(self, out: Callable[[str], object], err: Callable[[str], object]) -> None:
        self._out = out
        self._err = err
        self._threshold = _LEVELS.index("info")

    def set_level(self, level: str) -> None:
        """Print only lines of this level and above; raise ValueError for an unknown level."""
        if level.lower() not in _LEVELS:
            raise ValueError(f"No enum constant com.genymobile.scrcpy.util.Ln.Level.{level.upper()}")
        self._threshold = _LEVELS.index(level.lower())

    def debug(self, text: str) -> None:
        self._write("debug", text)

    def info(self, text: str) -> None:
        self._write("info", text)

    def warn(self, text: str) -> None:
        self._write("warn", text)

    def error(self, text: str) -> None:
        self._write("error", text)

    def _write(self, level: str, text: str) -> None:
        rank = _LEVELS.index(level)
        if rank >= self._threshold:
            write = self._out if rank <= _LEVELS.index("info") else self._err
            with contextlib.suppress(BrokenPipeError):  # nobody reads it any more
                write(f"[server] {level.upper()}: {text}\n")
