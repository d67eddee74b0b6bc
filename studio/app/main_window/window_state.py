"""What a window leaves to the one that takes its place, as when the language changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect

from studio.widgets.controls import Tabs
from studio.widgets.window_frame.notification_log import Notification

if TYPE_CHECKING:
    from studio.views.settings_page import SettingsPageState
    from studio.views.workspace import Workspace


@dataclass(frozen=True)
class WindowState:
    """What was open, and where the window lay."""

    front: str
    """Id of the workspace in front; empty while the settings are."""
    pixels: QRect
    """Where the window lies, in physical pixels."""
    workspaces: dict[str, object]
    """By id, the state of each workspace that was built."""
    settings: SettingsPageState | None
    notifications: tuple[Notification, ...]
    unread: int
    """How many of them were not read."""
    tabs: dict[str, list[int]]
    """By workspace, the current tab of each row of tabs."""


def tabs_of(workspace: Workspace) -> list[Tabs]:
    """The rows of tabs of a workspace, in the order in which they were built."""
    return workspace.findChildren(Tabs)
