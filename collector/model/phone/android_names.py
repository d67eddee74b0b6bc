"""Which texts are valid names of Android packages, and which packages are home screens."""

from __future__ import annotations

import re

_PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*")


def is_package(name: str) -> bool:
    """Whether ``name`` can be an Android package, as in ``org.example.shop``."""
    return _PACKAGE.fullmatch(name) is not None


def is_qualified_package(name: str) -> bool:
    """Whether ``name`` is a package and cannot be what people call an app: it has a dot."""
    return "." in name and is_package(name)


def is_home_screen(package: str) -> bool:
    """Whether a package shows a phone's home screen, as its name says: makers of phones have their own."""
    return "launcher" in package.lower() or package.endswith(".home")
