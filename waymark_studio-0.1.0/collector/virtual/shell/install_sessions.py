"""Installations of several APKs or several apps: open sessions, and what was written to each."""

from __future__ import annotations

import threading

from collector.virtual.shell.apk import ApkManifest

_FIRST = 1_000_001


class InstallSessions:
    """Open sessions by number. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._count = 0
        self._open: dict[str, list[ApkManifest | None]] = {}
        self._children: dict[str, list[str]] = {}

    def open(self) -> str:
        """Open a session and return its number."""
        with self._lock:
            number = str(_FIRST + self._count)
            self._count += 1
            self._open[number] = []
            return number

    def parts(self, number: str) -> list[ApkManifest | None] | None:
        """The manifests written so far, None for a file that is no APK; None for an unknown session."""
        with self._lock:
            return self._open.get(number)

    def add_children(self, number: str, children: list[str]) -> bool:
        """Install the apps of ``children`` together with session ``number``; False when one is unknown."""
        with self._lock:
            known = all(session in self._open for session in (number, *children))
            if known:
                self._children.setdefault(number, []).extend(children)
            return known

    def close(self, number: str) -> list[list[ApkManifest | None]]:
        """Close a session and its children, if it is open; return what was written for each app."""
        with self._lock:
            written = self._open.pop(number, [])
            children = self._children.pop(number, [])
            parts = [self._open.pop(child, []) for child in children]
            return parts if children else [written]
