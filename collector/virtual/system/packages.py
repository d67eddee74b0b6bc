"""The package manager: apps that are installed and removed while the phone runs."""

from __future__ import annotations

import contextlib
from typing import Any

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.input.input_method_manager import InputMethodManager
from collector.virtual.system.permissions import Permissions
from collector.virtual.system.phone_state.package_state import PackageState
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.ui.app import App
from collector.virtual.ui.shared_files import SHARED


class PackageManager:
    """Every method may be called from any thread."""

    def __init__(
        self,
        state: SystemState,
        manager: ActivityManager,
        permissions: Permissions,
        input_methods: InputMethodManager,
    ) -> None:
        self._state = state
        self._manager = manager
        self._permissions = permissions
        self._input_methods = input_methods

    @property
    def uids(self) -> dict[str, int]:
        """The user of each package of the phone, in their order."""
        with self._state.lock:
            return self._state.uids

    def install(self, app: App[Any], installer: str = "") -> None:
        """Install an app, or replace the installed one of its package, which keeps its data.

        ``installer`` is the package that does so; empty for adb.
        """
        with self._state.lock:
            if app.package in self._state.apps:
                self._manager.force_stop(app.package)
            self._state.install(app, installer)
            self._state.touch()

    def app(self, package: str) -> App[Any] | None:
        """The app of a package; None for one without a screen, and an unknown one."""
        with self._state.lock:
            return self._state.apps.get(package)

    def state(self, package: str) -> PackageState:
        """Whether a package is enabled, hidden or suspended."""
        with self._state.lock:
            return self._state.package_state(package)

    def set_state(self, package: str, state: PackageState) -> None:
        """Change it; a package that is not available any more, or suspended, is stopped."""
        with self._state.lock:
            before = self._state.package_state(package)
            self._state.package_states[package] = state
            if (before.available and not state.available) or (state.suspended and not before.suspended):
                self._manager.force_stop(package)
                self._manager.notices.cancel_all(package)
            self._state.touch()

    def uninstall(self, package: str) -> bool:
        """Remove an app with its data; False for an unknown package."""
        with self._state.lock:
            if package not in self._state.apps:
                return False
            self._input_methods.forget(package)
            self._manager.force_stop(package)
            self._manager.notices.cancel_all(package)
            self._permissions.forget(package)
            self._permissions.reset_ops(package)
            self._state.forget(package)
            self._state.package_states.pop(package, None)
            del self._state.apps[package]
            with contextlib.suppress(OSError):
                self._state.storage.remove(f"{SHARED}/Android/data/{package}")
            self._state.touch()
            return True
