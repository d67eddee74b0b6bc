"""The phone as the scrcpy server uses it."""

from __future__ import annotations

from typing import Any, Protocol

from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Size
from collector.model.phone.touch import TouchAction
from collector.virtual.ui.effects import Intent
from collector.virtual.video.screen import WatchedScreen


class ScreenPhone(WatchedScreen, Protocol):
    """The phone's interface for the scrcpy server; ``Phone`` implements it."""

    @property
    def size(self) -> Size:
        """The size of the rotated screen."""

    @property
    def profile(self) -> Any:
        """Model, manufacturer, Android version."""

    @property
    def packages(self) -> Any:
        """Installed apps: label, package, and whether it is a system app."""

    @property
    def settings(self) -> Any:
        """The settings store: ``get`` and ``put`` by namespace and key."""

    clipboard: str

    @property
    def copied(self) -> EventEmitter[str]:
        """Emits every text that is put on the clipboard, on the thread that put it there."""

    @property
    def awake(self) -> bool:
        """False while the screen is off."""

    def touch(self, action: TouchAction, pointer: int, x: float, y: float) -> Any: ...

    def key(self, code: int, down: bool | None = None, meta: int = 0) -> Any: ...

    def cancel_key(self, code: int) -> Any: ...

    def commit_text(self, text: str) -> Any: ...

    def scroll(self, x: float, y: float, horizontal: float, vertical: float) -> Any: ...

    def paste(self) -> Any: ...

    @property
    def rotation(self) -> int: ...

    def set_rotation(self, rotation: int) -> Any: ...

    def launch(self, package: str) -> bool:
        """Open an app by its package; False for an unknown package."""

    def force_stop(self, package: str) -> Any: ...

    def expand_shade(self, shown: bool) -> Any:
        """Open or close the panel of notifications and quick settings."""

    def start_activity(self, intent: Intent) -> Any: ...
