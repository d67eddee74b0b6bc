"""Import a large library when a test uses it: every worker collects all tests, and runs few of them."""

from __future__ import annotations

import importlib
import importlib.util
from typing import Any

import pytest


class LateImport:
    """Stands for a module, which is imported when a public attribute is read. Raises ImportError then.

    What pytest looks for in each object of a test module, such as ``__wrapped__``, it has not.
    """

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(importlib.import_module(self._name), name)


def late_import_or_skip(name: str, reason: str) -> LateImport:
    """Skip all tests of the module that asks when the library is not installed."""
    if importlib.util.find_spec(name) is None:
        pytest.skip(reason, allow_module_level=True)
    return LateImport(name)
