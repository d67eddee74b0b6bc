"""Which texts are valid names of Android packages and components."""

from __future__ import annotations

import re

_PACKAGE = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*")
_COMPONENT = re.compile(rf"{_PACKAGE.pattern}/\.?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*")


def is_package(name: str) -> bool:
    """Whether ``name`` can be an Android package, as in ``org.example.shop``."""
    return _PACKAGE.fullmatch(name) is not None


def is_component(name: str) -> bool:
    """Whether ``name`` can be a component, as in ``org.example.shop/.Main``."""
    return _COMPONENT.fullmatch(name) is not None
