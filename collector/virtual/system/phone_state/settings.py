"""The settings store: three namespaces of strings, as ``settings get|put`` sees them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from functools import cache

from collector.virtual.system.phone_state.inventory import inventory_lines
from collector.virtual.system.windows.input_methods import SYSTEM_METHODS

NAMESPACES = ("system", "secure", "global")


@cache
def _defaults() -> dict[tuple[str, str], str]:
    """The values of a new phone, but for those that its profile decides."""
    values = {}
    for namespace, line in inventory_lines("settings.txt"):
        key, _, value = line.partition("=")
        values[namespace, key] = value
    values["secure", "enabled_input_methods"] = ":".join(method.id for method in SYSTEM_METHODS)
    return values


class SettingsStore:
    """Strings by (namespace, key). Thread-safe.

    ``on_change(namespace, key)`` is called after each change. ``lock`` is the phone's, so that a change
    and its consequences are atomic.
    """

    def __init__(self, lock: threading.RLock, on_change: Callable[[str, str], None]) -> None:
        self._lock = lock
        self._values = dict(_defaults())
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
