"""Tell a program which of its writes reached the disk and which did not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter


@dataclass(frozen=True, slots=True)
class DiskWrite:
    """A change of a file or folder that was flushed to the disk, or that failed with ``error``."""

    path: Path
    error: UserError | None = None


DISK_WRITES: EventEmitter[DiskWrite] = EventEmitter()
"""Emits each write of this process's store, on the thread that wrote."""
