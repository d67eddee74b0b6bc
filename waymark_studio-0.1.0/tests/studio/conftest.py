"""Tests of the window run without a display, with settings and caches of their own."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def _private_folders(tmp_path, monkeypatch):
    """Keep settings, caches and logs of a test in its folder."""
    monkeypatch.setenv("WAYMARK_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def dressed(qapp):
    """The application in the dark theme, without motion."""
    # Imported here: tests of commands and settings run with Qt blocked under this file.
    from studio.theme import theme

    theme.install(qapp, "dark", motion=False)
    yield theme
    # Styling every widget of a window that is about to end takes longer than to build it.
    if theme.scheme != "dark":
        theme.use("dark")


@pytest.fixture
def hosted(qtbot, dressed):
    """``hosted(widget, width, height)`` shows a widget in a window that lives as long as the test."""
    # Imported here, as above.
    from PySide6.QtWidgets import QWidget

    windows = []

    def host(widget: QWidget, width: int, height: int):
        # The offscreen platform warns about a window with size hints.
        window = QWidget()
        windows.append(window)
        qtbot.addWidget(window)
        window.resize(width, height)
        widget.setParent(window)
        widget.resize(width, height)
        window.show()
        qtbot.waitExposed(window)
        return widget

    return host
