"""Which workspaces this version has, in the order of the rail."""

from __future__ import annotations

from studio.app.window import Factory
from studio.views.start import StartWorkspace

WORKSPACES: tuple[tuple[str, Factory], ...] = (("project", StartWorkspace),)
