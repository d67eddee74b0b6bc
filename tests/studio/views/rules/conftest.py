"""A built window with the Rules workspace on show, over a small project."""

from __future__ import annotations

import shutil

import pytest

from studio.app.studio import Studio
from studio.settings import Settings
from tests.helpers.rule_room import Room, make_project
from tests.helpers.studios import end_studio, is_alone


@pytest.fixture(scope="session")
def recorded_project(tmp_path_factory):
    """The folder of a project to copy: its trajectories are recorded once."""
    folder = tmp_path_factory.mktemp("recorded") / "project"
    make_project(folder)
    return folder


@pytest.fixture
def room(dressed, qtbot, tmp_path, recorded_project, request):
    """Everything is read: the rule, the first state and the corpus."""
    folder = shutil.copytree(recorded_project, tmp_path / "project")
    studio = Studio(Settings(tmp_path / "settings.yaml"), only="rules" if is_alone(request) else "")
    studio.window.resize(1400, 900)
    studio.show()
    studio.window.show_workspace("rules")
    opened = Room(studio, qtbot, folder)
    studio.project_library.open(folder)
    opened.until(lambda: opened.session.rule is not None and opened.session.recorded is not None)
    opened.until(lambda: opened.session.results and opened.workspace.matrix.rows.shown)
    yield opened
    end_studio(studio, qtbot)
