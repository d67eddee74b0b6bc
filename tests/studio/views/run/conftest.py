"""A built window with the Run workspace on show, over a small project with an experiment."""

from __future__ import annotations

import pytest

from studio.app.studio import Studio
from studio.settings import Settings
from tests.helpers.run_room import RunRoom, make_run_project
from tests.helpers.studios import end_studio


@pytest.fixture
def room(dressed, qtbot, tmp_path):
    """Experiment ``exp-01`` of a project with two tasks is in hand."""
    folder = tmp_path / "project"
    make_run_project(folder)
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings)
    studio.window.resize(1600, 1000)
    studio.show()
    studio.window.show_workspace("run")
    opened = RunRoom(studio, qtbot, folder)
    studio.project_library.open(folder)
    opened.until_read()
    yield opened
    end_studio(studio, qtbot)
