"""Watch the free space of a project's disk: a run waits while there is too little for another episode."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from collector.model.i18n import _
from collector.store.files.disk_reserve import RESERVE_BYTES

_SPARE_BYTES = 32 * 1024 * 1024


class DiskGuard:
    """Says whether the disk has room for the episodes of all workers."""

    def __init__(self, folder: Path, workers: int, free: Callable[[], int] | None = None) -> None:
        """``free`` gives the free bytes; None asks the system."""
        self._free = free or (lambda: shutil.disk_usage(folder).free)
        self._needed = _SPARE_BYTES + workers * RESERVE_BYTES

    def problem(self) -> str:
        """Why nothing can be run now, in a sentence; empty when there is room."""
        try:
            free = self._free()
        except OSError:  # an answer is not worth a run
            return ""
        if free >= self._needed:
            return ""
        return _(
            "The disk is nearly full: {free} MB are free, and the run needs {needed} MB. "
            "It goes on once there is room",
            free=free >> 20, needed=self._needed >> 20,
        )  # fmt: skip
