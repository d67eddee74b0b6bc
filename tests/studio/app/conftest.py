"""Fixtures that build the whole window on settings of the test."""

from __future__ import annotations

from dataclasses import replace

import pytest

from studio.settings import Settings


@pytest.fixture
def make(request, monkeypatch, dressed, qtbot, tmp_path):
    """``make()`` builds a studio on the settings of this test; a second one reads what the first saved.

    Record, a third of a window, is built when it comes to the front; at once where a test is marked with
    ``all_workspaces``.
    """
    # Imported here: tests that run with Qt blocked collect this folder, too.
    from studio.app import studio as module
    from studio.app.studio import Studio
    from tests.helpers.studios import end_studio, is_alone

    if is_alone(request):
        later = [replace(entry, lazy=entry.id != "project") for entry in module.AVAILABLE_WORKSPACES]
        monkeypatch.setattr(module, "AVAILABLE_WORKSPACES", later)
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
