"""Which workspaces this version has, in the order of the rail."""

from __future__ import annotations

from studio.app.window import Factory
from studio.views.project.workspace import ProjectWorkspace
from studio.views.record.workspace import RecordWorkspace
from studio.views.rules.workspace import RulesWorkspace

WORKSPACES: tuple[tuple[str, Factory], ...] = (
    ("project", ProjectWorkspace),
    ("record", RecordWorkspace),
    ("rules", RulesWorkspace),
)
