"""A built window with the States workspace on show, over a small project."""

from __future__ import annotations

import pytest

from studio.app.studio import Studio
from studio.settings import Settings
from tests.helpers.states_room import StatesRoom, make_states_project
from tests.helpers.studios import end_studio


@pytest.fixture
def room(dressed, qtbot, tmp_path):
    """Task ``buy`` is on show over its first golden trajectory, and everything about it is known."""
    folder = tmp_path / "project"
    make_states_project(folder)
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings)
    studio.window.resize(1600, 1000)
    studio.show()
    studio.window.show_workspace("states")
    opened = StatesRoom(studio, qtbot, folder)
    studio.project_library.open(folder)
    opened.until_reached()
    yield opened
    end_studio(studio, qtbot)
