"""The input method manager: which keyboards are installed, enabled and in use."""

from __future__ import annotations

from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.dialogs.prompts import Prompts
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.windows.input_methods import LATIN, SYSTEM_METHODS, Method, installed_methods
from collector.virtual.system.windows.prompt import Prompt
from collector.virtual.ui.events import Event

_CURRENT, _ENABLED = "default_input_method", "enabled_input_methods"


class InputMethodManager:
    """Every method may be called from any thread. Ids are in their short form, ``package/.Class``."""

    def __init__(self, state: SystemState, manager: ActivityManager, prompts: Prompts) -> None:
        self._state = state
        self._prompts = prompts
        state.followers.append(self._setting_changed)
        manager.system["input_method"] = self._show_picker
        prompts.answers["input_method"] = self._picked

    @property
    def installed(self) -> tuple[Method, ...]:
        with self._state.lock:
            return installed_methods(self._state.apps)

    @property
    def enabled(self) -> tuple[str, ...]:
        """The ids of the enabled keyboards, as the setting lists them."""
        text = self._state.settings.get("secure", _ENABLED) or ""
        # A subtype may follow an id: "package/.Class;-921088104".
        return tuple(entry.partition(";")[0] for entry in text.split(":") if entry)

    @property
    def current(self) -> str:
        """The id of the keyboard in use; empty when none is chosen."""
        return self._state.settings.get("secure", _CURRENT) or ""

    def enable(self, name: str) -> bool:
        """Enable an installed keyboard; False when it was enabled before. Raises KeyError for another."""
        with self._state.lock:
            if all(method.id != name for method in self.installed):
                raise KeyError(name)
            enabled = self.enabled
            if name not in enabled:
                self._state.settings.put("secure", _ENABLED, ":".join([*enabled, name]))
            return name not in enabled

    def disable(self, name: str) -> bool:
        """Disable a keyboard; another takes its place, the phone's own when none is left.

        Returns False when it was not enabled.
        """
        with self._state.lock:
            enabled = self.enabled
            if name not in enabled:
                return False
            left = [method_id for method_id in enabled if method_id != name] or [LATIN.id]
            self._state.settings.put("secure", _ENABLED, ":".join(left))
            if self.current == name:
                self._state.settings.put("secure", _CURRENT, left[0])
            return True

    def select(self, name: str) -> bool:
        """Use an enabled keyboard from now on; False for any other."""
        with self._state.lock:
            if name not in self.enabled:
                return False
            self._state.settings.put("secure", _CURRENT, name)
            return True

    def reset(self) -> None:
        """Enable the system's keyboards alone and use the default one."""
        with self._state.lock:
            self._state.settings.put("secure", _ENABLED, ":".join(method.id for method in SYSTEM_METHODS))
            self._state.settings.put("secure", _CURRENT, LATIN.id)

    def forget(self, package: str) -> None:
        """Disable the keyboards of a package that is removed, and use another one."""
        for method in self.installed:
            if method.package == package:
                self.disable(method.id)
                if self.current == method.id:  # set by hand, without being enabled
                    self._state.settings.put("secure", _CURRENT, LATIN.id)

    def _show_picker(self, _event: Event) -> None:
        """Ask which of the enabled keyboards to use."""
        package = self.current.partition("/")[0]
        self._prompts.ask(Prompt("input_method", package, ":".join(self.enabled), cancelable=True))

    def _picked(self, _prompt: Prompt, answer: str) -> None:
        self.select(answer)

    def _setting_changed(self, namespace: str, key: str) -> None:
        """Start the process of an installed keyboard that is used from now on."""
        if (namespace, key) == ("secure", _CURRENT):
            package = self.current.partition("/")[0]
            if package in self._state.apps:
                self._state.pid(package)
