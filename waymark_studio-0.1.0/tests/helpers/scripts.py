"""Import a script of ``packaging/`` or ``docs/``, which are folders and not packages."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]


def script(folder: str, name: str) -> ModuleType:
    """Return a script as a module. It can import the other scripts of its folder, as when it is run."""
    path = str(ROOT / folder)
    sys.path.insert(0, path)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(path)
