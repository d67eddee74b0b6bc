"""Imports a script of ``packaging/`` or ``docs/``, which are folders of scripts and no packages."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def script(folder: str, name: str) -> ModuleType:
    """The script as a module; its siblings are importable to it, as when it is run."""
    path = str(ROOT / folder)
    sys.path.insert(0, path)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(path)
