"""A built window with the Metrics workspace on show, over a small project with runs."""

from __future__ import annotations

import pytest

from tests.helpers.metrics_room import MetricsRoom, make_metrics_project
from tests.helpers.studios import end_studio, is_alone, new_studio


@pytest.fixture
def room(dressed, qtbot, tmp_path, request):
    """The numbers of all 17 runs are on show."""
    folder = tmp_path / "project"
    make_metrics_project(folder)
    studio = new_studio(tmp_path, "metrics", alone=is_alone(request))
    opened = MetricsRoom(studio, qtbot, folder)
    studio.project_library.open(folder)
    opened.until(lambda: opened.session.loaded is not None and len(opened.session.loaded.found) == 17)
    opened.until_counted()
    yield opened
    end_studio(studio, qtbot)
