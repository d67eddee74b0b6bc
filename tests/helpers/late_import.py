"""Import a large library when a test uses it: every worker collects all tests, and runs few of them."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from typing import Any

import pytest


class LateImport:
    """Stands for a module, which is imported when a public attribute is read. Raises ImportError then.

    What pytest looks for in each object of a test module, such as ``__wrapped__``, it has not.
    """

    def __init__(self, name: str, *, without: str = "") -> None:
        """``without`` is a large module that the library does without where it is not installed."""
        self._name, self._without = name, without

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(sys.modules.get(self._name) or self._import(), name)

    def _import(self) -> Any:
        if not self._without or self._without in sys.modules:
            return importlib.import_module(self._name)
        sys.modules[self._without] = None  # type: ignore[assignment]  # importing it raises ImportError
        try:
            return importlib.import_module(self._name)
        finally:
            del sys.modules[self._without]


def late_import_or_skip(name: str, reason: str) -> LateImport:
    """Skip all tests of the module that asks when the library is not installed."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(reason, allow_module_level=True)
    return LateImport(name)
