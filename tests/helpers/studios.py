"""End a window as the program does."""

from __future__ import annotations

from typing import Any

from studio.app.studio import Studio
from tests.helpers import cycles


def end_studio(studio: Studio, qtbot: Any) -> None:
    """Close the window, end the jobs, delete the objects."""
    studio.window.close()
    with cycles.collected_together():
        studio.close()
    qtbot.wait(0)  # what the last jobs emitted still finds a window
    studio.window.deleteLater()
    studio.deleteLater()
    qtbot.wait(0)
