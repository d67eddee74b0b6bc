"""A built window with the States workspace on show, over a small project."""

from __future__ import annotations

import pytest

from tests.helpers.states_room import StatesRoom, make_states_project
from tests.helpers.studios import end_studio, is_alone, new_studio


@pytest.fixture
def room(dressed, qtbot, tmp_path, request):
    """Task ``buy`` is on show over its first golden trajectory, and everything about it is known."""
    folder = tmp_path / "project"
    make_states_project(folder)
    studio = new_studio(tmp_path, "states", alone=is_alone(request))
    opened = StatesRoom(studio, qtbot, folder)
    studio.project_library.open(folder)
    opened.until_reached()
    yield opened
    end_studio(studio, qtbot)
