"""Broadcast receivers and content providers of apps, as the shell uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from collector.virtual.android_versions import ANDROID_13
from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.notices import POST_NOTIFICATIONS
from collector.virtual.system.phone_state.broadcasts import BroadcastResult
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.app import CALLED, RECEIVED, App, ComponentCall
from collector.virtual.ui.effects import Intent
from collector.virtual.ui.events import Event

_OVERLAYS = ("android.permission.SYSTEM_ALERT_WINDOW", "SYSTEM_ALERT_WINDOW")
"""The permission to show windows over other apps, and its operation, which a person allows."""


class AppComponents:
    """Every method may be called from any thread."""

    def __init__(self, state: SystemState, manager: ActivityManager) -> None:
        self._state, self._manager = state, manager

    def receive(self, intent: Intent) -> BroadcastResult | None:
        """Deliver a broadcast to the receiver that it names; None when no installed app has it."""
        component = intent.component
        with self._state.lock:
            app = self._available(component.package) if component is not None else None
            if app is None or component is None:
                return None
            name = component.activity.removeprefix(app.package)
            if name not in app.receivers:
                return None
            self._state.pid(app.package)
            code, text = self._send(app, Event(RECEIVED, name, self._call(app, intent.extras)))
            return BroadcastResult(code, text or None)

    def provides(self, authority: str) -> bool:
        """Whether an installed app has a content provider of that name."""
        with self._state.lock:
            return self._provider(authority) is not None

    def query(self, authority: str, path: str) -> list[dict[str, str | None]] | None:
        """The rows at a path of a provider; None for a path that there is not."""
        with self._state.lock:
            app = self._provider(authority)
            return app.query(self._state.state_of(app), path, self._call(app, {})) if app else None

    def call(self, authority: str, method: str, argument: str = "") -> str:
        """What a method of a provider answers; empty for none."""
        with self._state.lock:
            app = self._provider(authority)
            if app is None:
                return ""
            return self._send(app, Event(CALLED, method, self._call(app, {}, argument)))[1]

    def _provider(self, authority: str) -> App[Any] | None:
        apps = (app for app in self._state.apps.values() if authority and app.authority == authority)
        return next((app for app in apps if self._available(app.package)), None)

    def _available(self, package: str) -> App[Any] | None:
        app = self._state.apps.get(package)
        return app if app is not None and self._state.package_state(package).available else None

    def _send(self, app: App[Any], event: Event) -> tuple[int, str]:
        self._manager.reply = (0, "")
        self._manager.send_to(app, event)
        return self._manager.reply

    def _call(self, app: App[Any], extras: Mapping[str, object], argument: str = "") -> ComponentCall:
        state, (permission, operation) = self._state, _OVERLAYS
        granted = {name for name in app.permissions if (app.package, name) not in state.revoked}
        if state.ops.get((app.package, operation)) != "allow":
            granted.discard(permission)
        granted.discard(POST_NOTIFICATIONS)
        if self._manager.notices.allowed(app.package, state.profile.sdk >= ANDROID_13):
            granted.add(POST_NOTIFICATIONS)
        return ComponentCall(dict(extras), frozenset(granted), state.profile.sdk, argument)
