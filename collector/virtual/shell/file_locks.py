"""Locks of files, as the kernel's ``flock`` holds them: by open description, until it is closed."""

from __future__ import annotations

import threading
import weakref
from dataclasses import dataclass, field

from collector.virtual.shell.pipes import FileWriter
from collector.virtual.shell.process_table import CancelScope

_POLL = 0.05


@dataclass(frozen=True, slots=True)
class _Lock:
    path: str
    holder: weakref.ref[FileWriter]
    is_shared: bool


@dataclass(slots=True)
class FileLocks:
    """Who holds which file of the phone."""

    _held: list[_Lock] = field(default_factory=list)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, file: FileWriter, *, shared: bool) -> bool:
        """Lock the file for this description, or change its lock; False when another has it."""
        with self._lock:
            mine, others = self._of(file)
            if any(not (lock.is_shared and shared) for lock in others):
                return False
            self._held = [lock for lock in self._held if lock not in mine]
            self._held.append(_Lock(file.path, weakref.ref(file), shared))
            return True

    def wait(self, file: FileWriter, *, shared: bool, interruption: CancelScope) -> None:
        """Lock the file as soon as it is free, or return when the command is ended."""
        while not self.take(file, shared=shared) and not interruption.wait(_POLL):
            pass

    def release(self, file: FileWriter) -> None:
        """Unlock the file; nothing happens when this description did not lock it."""
        with self._lock:
            mine, _others = self._of(file)
            self._held = [lock for lock in self._held if lock not in mine]

    def _of(self, file: FileWriter) -> tuple[list[_Lock], list[_Lock]]:
        """The locks of this description on the file, and those of others that are still open."""
        self._held = [lock for lock in self._held if lock.holder() is not None]
        there = [lock for lock in self._held if lock.path == file.path]
        mine = [lock for lock in there if lock.holder() is file]
        return mine, [lock for lock in there if lock not in mine]
