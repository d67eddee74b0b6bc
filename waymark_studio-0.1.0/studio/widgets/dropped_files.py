"""Files that are dragged onto a widget."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtGui import QDropEvent


def dropped_files(event: QDropEvent) -> list[Path]:
    """The local files and folders of a drag; empty when it holds anything else."""
    return [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
