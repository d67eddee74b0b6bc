"""Gives memory that nothing needs back to the system, while the window is open."""

from __future__ import annotations

from pathlib import Path

import PySide6
from PySide6.QtCore import QObject, QTimer, Slot

from collector.host.library_pages import release_font_pages, release_library_pages
from collector.host.malloc import trim_malloc
from studio.bridge.jobs import JobRunner

# What recording and thumbnails free lies between what stays. A trim takes 2 ms of the GUI thread.
_TRIM_MS = 3_000
# It takes 4 ms, and what is in use is there again in 1 ms.
_LIBRARIES_MS = 5_000
_LIBRARIES = Path(PySide6.__file__).parents[1]
"""Where the libraries of all packages are; Python unloads none."""


class MemoryRelease(QObject):
    """Freed blocks of malloc, and pages of libraries and fonts that were read once. GUI thread only."""

    def __init__(self, jobs: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = jobs
        self._trimming = QTimer(self, interval=_TRIM_MS)
        self._trimming.timeout.connect(trim_malloc)
        self._trimming.start()
        self._libraries = QTimer(self, interval=_LIBRARIES_MS)
        self._libraries.timeout.connect(self._release)
        self._libraries.start()

    @Slot()
    def _release(self) -> None:
        release_library_pages(_LIBRARIES)
        if self._jobs.is_idle:  # besides this thread only jobs draw text
            release_font_pages()
