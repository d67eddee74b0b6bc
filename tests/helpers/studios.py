"""Start a window, and end it as the program does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from studio.app.studio import Studio
from studio.settings import Settings
from tests.helpers import cycles


def is_alone(request: pytest.FixtureRequest) -> bool:
    """Whether a test needs one workspace, and not ``all_workspaces``, which take half of its time."""
    return request.node.get_closest_marker("all_workspaces") is None


def new_studio(folder: Path, workspace: str, *, alone: bool = False) -> Studio:
    """A window of 1600 by 1000 px with a workspace on show; ``alone``: without the others.

    Settings are in ``folder``; lin is at work.
    """
    settings = Settings(folder / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings, only=workspace if alone else "")
    studio.window.resize(1600, 1000)
    studio.show()
    studio.window.show_workspace(workspace)
    return studio


def end_studio(studio: Studio, qtbot: Any) -> None:
    """Close the window, end the jobs, delete the objects."""
    studio.window.close()
    with cycles.collected_together():
        studio.close()
    qtbot.wait(0)  # what the last jobs emitted still finds a window
    studio.window.deleteLater()
    studio.deleteLater()
    qtbot.wait(0)
