"""Snapshots of the phone: apps, their data, open activities, settings, permissions, hardware.

Dialogs of the system, notifications, timers of apps and files of the shared storage are not in them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.model.geometry import Size
from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.phone_state.activities import ActivityTask
from collector.virtual.system.phone_state.clock import START
from collector.virtual.system.phone_state.keyguard import Keyguard
from collector.virtual.system.phone_state.package_state import PackageState
from collector.virtual.system.phone_state.phone_records import TextMessage
from collector.virtual.system.phone_state.profile import PhoneProfile
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.services import SystemServices
from collector.virtual.system.windows.keyboard import Keyboard
from collector.virtual.system.windows.window import Window
from collector.virtual.ui.app import App
from collector.virtual.ui.call_record import CallRecord

_LOCALES = ("system", "system_locales")


@dataclass(frozen=True, slots=True)
class _Snapshot:
    """Values only: states of apps are immutable."""

    apps: Mapping[str, App[Any]]
    states: Mapping[str, Any]
    settings: Mapping[tuple[str, str], str]
    revoked: frozenset[tuple[str, str]]
    ops: Mapping[tuple[str, str], str]
    locales: Mapping[str, str]
    package_states: Mapping[str, PackageState]
    messages: tuple[TextMessage, ...]
    call_log: tuple[CallRecord, ...]
    level: int
    charging: bool
    airplane: bool
    size_override: Size | None
    density_override: int | None


@dataclass(frozen=True, slots=True)
class _OpenScreen:
    """What is in front, and all behind it; copies, which do not change with the phone."""

    profile: PhoneProfile
    tasks: Sequence[ActivityTask]
    windows: Sequence[Window]
    processes: tuple[str, ...]
    keyboard: Keyboard
    keyboard_requested: bool
    device_rotation: int
    clipboard: str
    closed_pop_ups: frozenset[tuple[str, str]]


class Snapshots:
    """Saves and loads snapshots by name; a reset goes back to the one taken at the start."""

    def __init__(
        self, state: SystemState, compositor: Compositor, manager: ActivityManager, services: SystemServices
    ) -> None:
        self._state, self._compositor, self._manager = state, compositor, manager
        self._services = services
        self._named: dict[str, tuple[_Snapshot, _OpenScreen]] = {}
        self._saved: dict[str, tuple[dt.datetime, int]] = {}
        self._loaded = ""
        self._first = self._take()

    @property
    def saved(self) -> dict[str, tuple[dt.datetime, int]]:
        """When each was saved by the phone's clock, and how long the phone had run, in ns."""
        with self._state.lock:
            return dict(self._saved)

    @property
    def loaded(self) -> str:
        """The one that was loaded last; empty for none."""
        with self._state.lock:
            return self._loaded

    def save(self, name: str) -> None:
        with self._state.lock:
            self._named[name] = self._take(), self._open_screen()
            self._saved[name] = self._state.clock.now, self._state.clock.uptime_ns

    def load(self, name: str) -> bool:
        """Go back to a snapshot, with the screen that was in front; False when there is none of this name."""
        with self._state.lock:
            if name not in self._named:
                return False
            snapshot, screen = self._named[name]
            self._state.profile = screen.profile
            self._restore(snapshot)
            self._show(screen)
            self._loaded = name
            return True

    def delete(self, name: str) -> bool:
        with self._state.lock:
            self._saved.pop(name, None)
            return self._named.pop(name, None) is not None

    def reset(self, profile: PhoneProfile, states: Mapping[str, Any]) -> None:
        """Make the phone as a new one of ``profile`` whose apps have these states, by package.

        Connections stay.
        """
        with self._state.lock:
            changed = profile.variation.settings | {_LOCALES: profile.locale}
            self._state.prompts = ()  # those of the variation as it was cannot be drawn any more
            self._state.profile = profile
            # Else what apps call today depends on when the phone was switched on, and old lines of the log
            # would be newer than those to come.
            self._state.clock.set(START)
            self._state.logcat.clear()
            self._services.location.forget()
            self._services.sensors.forget()
            self._restore(replace(self._first, settings={**self._first.settings, **changed}, states=states))

    def _take(self) -> _Snapshot:
        state = self._state
        return _Snapshot(
            dict(state.apps),
            dict(state.states),
            state.settings.values,
            frozenset(state.revoked),
            dict(state.ops),
            dict(state.locales),
            dict(state.package_states),
            state.messages,
            state.call_log,
            state.supply.level,
            state.supply.plugged,
            state.airplane,
            state.size_override,
            state.density_override,
        )

    def _open_screen(self) -> _OpenScreen:
        state = self._state
        return _OpenScreen(
            state.profile,
            state.activities.copied(),
            self._compositor.saved_windows(),
            tuple(state.processes),
            state.keyboard,
            state.keyboard_requested,
            state.device_rotation,
            state.clipboard,
            frozenset(state.closed_pop_ups),
        )

    def _show(self, screen: _OpenScreen) -> None:
        """Open the activities again that were open."""
        state = self._state
        for package in screen.processes:
            state.pid(package)
        state.device_rotation, state.clipboard = screen.device_rotation, screen.clipboard
        state.rotate()
        state.closed_pop_ups.update(screen.closed_pop_ups)
        state.activities.restore(screen.tasks)
        self._compositor.restore_windows(screen.windows)
        self._manager.resume()
        state.keyboard, state.keyboard_requested = screen.keyboard, screen.keyboard_requested
        state.touch()

    def _restore(self, snapshot: _Snapshot) -> None:
        state, services = self._state, self._services
        services.restart()
        for package in state.apps:
            services.permissions.forget(package)
        state.apps = dict(snapshot.apps)
        state.revoked = set(snapshot.revoked)
        state.ops, state.locales = dict(snapshot.ops), dict(snapshot.locales)
        state.package_states = dict(snapshot.package_states)
        state.messages, state.call_log = snapshot.messages, snapshot.call_log
        state.airplane = snapshot.airplane
        state.device_rotation = state.rotation = 0
        for namespace, key in state.settings.values:
            if (namespace, key) not in snapshot.settings:
                state.settings.delete(namespace, key)
        for (namespace, key), value in snapshot.settings.items():
            state.settings.put(namespace, key, value)
        state.rotate()
        services.power.hardware(snapshot.level, snapshot.charging)
        state.size_override, state.density_override = snapshot.size_override, snapshot.density_override
        state.clipboard = state.toast = ""
        state.keyguard = Keyguard()
        state.closed_pop_ups.clear()
        state.noise.forget()
        state.snackbars.clear()
        self._manager.timers.drop()
        # After the settings: a change of the language rewrites the states of the apps.
        state.states = dict(snapshot.states)
        self._manager.show_first()
        state.touch()
