"""Paint every workspace on a scaled screen, and name pictures that were drawn for another scale.

``QT_SCALE_FACTOR=1.5 python -m tests.helpers.scaled_window PROJECT``: a process of its own, because Qt reads
the scale once.
"""

from __future__ import annotations

import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QApplication

from studio.app.studio import Studio
from studio.commands.workspaces import AVAILABLE_WORKSPACES
from studio.settings import Settings
from studio.theme import theme

_PATIENCE_S, _LOOKED_S = 60, 1.0


def watch(found: set[str]) -> None:
    """Note each pixmap that is drawn in its own size, and was made for another scale than its place has."""
    draw = QPainter.drawPixmap

    def watched(painter: QPainter, *arguments: Any) -> None:
        pixmap = next((each for each in arguments if isinstance(each, QPixmap)), None)
        has_size = any(hasattr(each, "width") and not isinstance(each, QPixmap) for each in arguments)
        scale = painter.device().devicePixelRatioF() * abs(painter.worldTransform().m11())
        if pixmap is not None and not has_size and abs(pixmap.devicePixelRatioF() - scale) > 0.01:
            place = traceback.extract_stack(limit=2)[0]
            found.add(f"{Path(place.filename).name}:{place.lineno}: {pixmap.devicePixelRatioF()} for {scale}")
        draw(painter, *arguments)

    QPainter.drawPixmap = watched  # type: ignore[method-assign]


def wait(application: QApplication, is_done: Callable[[], bool]) -> None:
    """Let the window work until ``is_done``. Raises TimeoutError."""
    end = time.monotonic() + _PATIENCE_S
    while not is_done():
        application.processEvents()
        if time.monotonic() > end:
            raise TimeoutError


def _is_past(moment: float) -> bool:
    return time.monotonic() > moment


def main(project: Path) -> int:
    """Print what was found; 1 when something was."""
    application, found = QApplication([]), set[str]()
    theme.install(application, "dark", motion=False)
    watch(found)
    with tempfile.TemporaryDirectory() as folder:
        studio = Studio(Settings(Path(folder) / "settings.yaml"))
        studio.window.resize(1280, 720)
        studio.show()
        studio.project_library.open(project)
        wait(application, lambda: studio.project_library.snapshot is not None)
        for workspace in AVAILABLE_WORKSPACES:
            studio.window.show_workspace(workspace.id)
            wait(application, partial(_is_past, time.monotonic() + _LOOKED_S))
            studio.window.grab()
        studio.window.close()
        studio.close()
    sys.stdout.write("\n".join(sorted(found)))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
