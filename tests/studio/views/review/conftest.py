"""A built window with the Review workspace in front, over a small project with three trajectories."""

from __future__ import annotations

import pytest

from studio.app.studio import Studio
from studio.settings import Settings
from tests.helpers.review_room import ReviewRoom, make_review_project
from tests.helpers.studios import end_studio, is_alone


@pytest.fixture
def room(dressed, qtbot, tmp_path, request):
    """The project is open, and nothing in Review yet."""
    folder = tmp_path / "project"
    folders = make_review_project(folder)
    settings = Settings(tmp_path / "settings.yaml")
    settings.set("recording.author", "lin")
    studio = Studio(settings, only="review" if is_alone(request) else "")
    studio.window.resize(1600, 1000)
    studio.show()
    # The first snapshot comes before the index: a run would be opened without what it is compared with.
    with qtbot.waitSignal(studio.project_library.changed, timeout=20_000):
        studio.project_library.open(folder)
    opened = ReviewRoom(studio, qtbot, folder, folders)
    yield opened
    end_studio(opened.studio, qtbot)  # of the last start
