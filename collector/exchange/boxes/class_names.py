"""The classes of boxes, numbered as they first come; in a file, so that an interrupted export goes on."""

from __future__ import annotations

from pathlib import Path

from collector.exchange.exchange_log import ExchangeLog

CLASSES = "classes"
"""The name of that file."""


class ClassNames:
    """Names and their numbers, from 0."""

    def __init__(self, file: Path, log: ExchangeLog) -> None:
        """``file`` has a name a line."""
        self._file, self._log = file, log
        known = file.read_text("utf-8").split("\n")[:-1] if file.exists() else []
        self._numbers = {name: number for number, name in enumerate(known)}

    def __getitem__(self, name: str) -> int:
        """The number of a class, which is new when it was not asked for before."""
        plain = " ".join(name.split())
        if plain not in self._numbers:
            self._log.append(self._file, f"{plain}\n".encode("utf-8", "replace"))
            self._numbers[plain] = len(self._numbers)
        return self._numbers[plain]

    @property
    def names(self) -> list[str]:
        """All of them, by number."""
        return list(self._numbers)
