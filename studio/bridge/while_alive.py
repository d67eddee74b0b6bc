"""Callbacks that end with the object of Qt that they are for: an answer may come when it is gone."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec

from PySide6.QtCore import QObject
from shiboken6 import isValid

_P = ParamSpec("_P")


def while_alive(owner: QObject, callback: Callable[_P, object]) -> Callable[_P, None]:
    """A callback that does nothing once ``owner`` is deleted, as a dialog is when it was closed.

    For functions and partials that touch it. A method of an object of Qt needs none: Qt forgets it.
    """

    def call(*args: _P.args, **named: _P.kwargs) -> None:
        if isValid(owner):
            callback(*args, **named)

    return call


def call_back(callback: Callable[_P, object], *args: _P.args, **named: _P.kwargs) -> None:
    """Call what a caller handed over, unless it is a method of an object that is deleted.

    For a function that waits for a job and calls its caller then: Qt knows only of that function.
    """
    owner = getattr(callback, "__self__", None)
    if not isinstance(owner, QObject) or isValid(owner):
        callback(*args, **named)
