"""Block the import of PySide6, to prove that the core works without it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType

QT_PACKAGES = frozenset({"PySide6", "shiboken6"})


class QtBlocker(MetaPathFinder):
    """Import hook that raises ImportError for the packages of Qt."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname.partition(".")[0] in QT_PACKAGES:
            raise ImportError(f"{fullname} is blocked: the core must work without Qt", name=fullname)
        return None


def block_qt() -> None:
    """Block every later import of Qt in this process."""
    loaded = sorted(QT_PACKAGES & sys.modules.keys())
    if loaded:
        raise RuntimeError(f"too late to block Qt, already imported: {', '.join(loaded)}")
    sys.meta_path.insert(0, QtBlocker())
