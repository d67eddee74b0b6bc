"""Tests of the window run without a display, in a home of their own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _own_home(tmp_path, monkeypatch):
    """Settings, caches and logs of a test stay in its folder."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def dressed(qapp):
    """The application in the dark theme, without motion."""
    # Not at the top: commands and settings are tested with Qt blocked, under this same file.
    from studio.theme import theme

    theme.install(qapp, "dark", motion=False)
    yield theme
    theme.use("dark")
