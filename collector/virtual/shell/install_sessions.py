"""Installations of several APKs or several apps: open sessions, and what was written to each."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import IO

from collector.virtual.apk.apk_reader import ApkManifest

_FIRST = 1_000_001
Switches = dict[str, str]
"""The switches of an installation, each with its value; empty for those without one."""


@dataclass(frozen=True, slots=True)
class ApkPart:
    """A file that was uploaded. Whoever holds it closes it."""

    file: IO[bytes]
    manifest: ApkManifest | None
    """None for a file that cannot be installed."""
    failure: str = ""
    """Why it cannot, in the words of the package manager."""


class InstallSessions:
    """Open sessions by number. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._open: dict[str, list[ApkPart]] = {}
        self._switches: dict[str, Switches] = {}
        self._children: dict[str, list[str]] = {}

    def open(self, switches: Switches | None = None) -> str:
        """Open a session with the switches of its creation, and return its number."""
        with self._lock:
            number = str(_FIRST + self._count)
            self._count += 1
            self._open[number] = []
            self._switches[number] = switches or {}
            return number

    def parts(self, number: str) -> list[ApkPart] | None:
        """What was written so far; None for an unknown session."""
        with self._lock:
            return self._open.get(number)

    def switches(self, number: str) -> Switches:
        """The switches with which a session was created."""
        with self._lock:
            return self._switches.get(number, {})

    def add_children(self, number: str, children: list[str]) -> bool:
        """Install the apps of ``children`` together with session ``number``; False when one is unknown."""
        with self._lock:
            known = all(session in self._open for session in (number, *children))
            if known:
                self._children.setdefault(number, []).extend(children)
            return known

    def close(self, number: str) -> list[list[ApkPart]]:
        """Close a session and its children, if it is open; return what was written for each app."""
        with self._lock:
            written = self._open.pop(number, [])
            self._switches.pop(number, None)
            children = self._children.pop(number, [])
            parts = [self._open.pop(child, []) for child in children]
            return parts if children else [written]
