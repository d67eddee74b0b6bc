"""The whole window, on settings of its own."""

from __future__ import annotations

import pytest

from studio.settings import Settings


@pytest.fixture
def make(dressed, qtbot, tmp_path):
    """``make()``: a studio on the settings of this test; made again, it finds what the first one saved."""
    # Not at the top: what is tested with Qt blocked collects this folder too.
    from studio.app.studio import Studio

    made = []

    def build():
        studio = Studio(Settings(tmp_path / "settings.yaml"))
        qtbot.addWidget(studio.window)
        studio.show()
        made.append(studio)
        return studio

    yield build
    for studio in made:
        studio.window.close()
        studio.close()


@pytest.fixture
def studio(make):
    return make()
