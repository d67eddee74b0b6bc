"""The settings store: three namespaces of strings, as ``settings get|put`` sees them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

from collector.virtual.system.windows.input_methods import LATIN, SYSTEM_METHODS

NAMESPACES = ("system", "secure", "global")

_DEFAULTS: dict[tuple[str, str], str] = {
    ("system", "font_scale"): "1.0",
    ("system", "accelerometer_rotation"): "1",
    ("system", "user_rotation"): "0",
    ("system", "screen_brightness"): "128",
    ("system", "screen_off_timeout"): "600000",
    ("system", "time_12_24"): "24",
    ("system", "volume_music"): "7",
    ("system", "volume_ring"): "5",
    ("secure", "ui_night_mode"): "1",
    ("secure", "default_input_method"): LATIN.id,
    ("secure", "enabled_input_methods"): ":".join(method.id for method in SYSTEM_METHODS),
    ("secure", "long_press_timeout"): "400",
    ("secure", "location_mode"): "3",
    ("secure", "navigation_mode"): "2",
    ("secure", "show_ime_with_hard_keyboard"): "1",
    ("secure", "sms_default_application"): "com.android.messaging",
    ("secure", "show_first_crash_dialog_dev_option"): "1",
    ("global", "wifi_on"): "1",
    ("global", "mobile_data"): "1",
    ("global", "bluetooth_on"): "0",
    ("global", "airplane_mode_on"): "0",
    ("global", "low_power"): "0",
    ("global", "zen_mode"): "0",
    ("global", "adb_enabled"): "1",
    ("global", "device_name"): "Waymark Phone",
    ("global", "animator_duration_scale"): "1.0",
    ("global", "transition_animation_scale"): "1.0",
    ("global", "window_animation_scale"): "1.0",
    ("global", "stay_on_while_plugged_in"): "0",
}


class SettingsStore:
    """Strings by (namespace, key). Thread-safe.

    ``on_change(namespace, key)`` is called after each change. ``lock`` is the phone's, so that a change
    and its consequences are atomic.
    """

    def __init__(self, lock: threading.RLock, on_change: Callable[[str, str], None]) -> None:
        self._lock = lock
        self._values = dict(_DEFAULTS)
        self._on_change = on_change

    def get(self, namespace: str, key: str) -> str | None:
        """The value; None for a missing key, which ``settings get`` prints as ``null``."""
        self._check(namespace)
        with self._lock:
            return self._values.get((namespace, key))

    def put(self, namespace: str, key: str, value: str) -> None:
        self._check(namespace)
        with self._lock:
            if self._values.get((namespace, key)) != value:
                self._values[namespace, key] = value
                self._on_change(namespace, key)

    def delete(self, namespace: str, key: str) -> bool:
        """Delete a key; False when there was none."""
        self._check(namespace)
        with self._lock:
            if self._values.pop((namespace, key), None) is None:
                return False
            self._on_change(namespace, key)
            return True

    def list(self, namespace: str) -> dict[str, str]:
        """All keys of a namespace, sorted."""
        self._check(namespace)
        with self._lock:
            return {key: value for (where, key), value in sorted(self._values.items()) if where == namespace}

    @property
    def values(self) -> Mapping[tuple[str, str], str]:
        """A copy of all values."""
        with self._lock:
            return dict(self._values)

    def is_on(self, namespace: str, key: str) -> bool:
        return self._values.get((namespace, key)) == "1"

    @staticmethod
    def _check(namespace: str) -> None:
        if namespace not in NAMESPACES:
            raise ValueError(f"no settings namespace {namespace!r} (expected system, secure or global)")
