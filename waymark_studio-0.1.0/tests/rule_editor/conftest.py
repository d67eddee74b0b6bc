"""Tests of the rule editor's widgets are dressed as in the studio, without a display."""

from __future__ import annotations

import pytest


@pytest.fixture
def toolkit(qapp):
    """The studio's theme and controls; dark, without motion."""
    # Not at the top: the document is tested with Qt blocked, under this same file.
    from studio.theme import theme
    from studio.views.conditions.studio_toolkit import STUDIO_TOOLKIT

    theme.install(qapp, "dark", motion=False)
    yield STUDIO_TOOLKIT
    # Styling every widget of a window that is about to end takes longer than to build it.
    if theme.scheme != "dark":
        theme.use("dark")
