"""Fixtures that build the whole window on settings of the test."""

from __future__ import annotations

import pytest

from studio.settings import Settings


@pytest.fixture
def make(dressed, qtbot, tmp_path):
    """``make()`` builds a studio on the settings of this test; a second one reads what the first saved."""
    # Imported here: tests that run with Qt blocked collect this folder, too.
    from studio.app.studio import Studio
    from tests.helpers.studios import end_studio

    studios = []

    def build():
        studio = Studio(Settings(tmp_path / "settings.yaml"))
        studio.show()
        studios.append(studio)
        return studio

    yield build
    for studio in studios:
        end_studio(studio, qtbot)


@pytest.fixture
def studio(make):
    return make()
