"""A built window with the Run workspace on show, over a small project with an experiment."""

from __future__ import annotations

import pytest

from tests.helpers.run_room import RunRoom, make_run_project
from tests.helpers.studios import end_studio, is_alone, new_studio


@pytest.fixture
def room(dressed, qtbot, tmp_path, request):
    """Experiment ``exp-01`` of a project with two tasks is in hand."""
    folder = tmp_path / "project"
    make_run_project(folder)
    studio = new_studio(tmp_path, "run", alone=is_alone(request))
    opened = RunRoom(studio, qtbot, folder)
    studio.project_library.open(folder)
    opened.until_read()
    yield opened
    end_studio(studio, qtbot)
