"""Compile the methods of dataclasses when they are first called, and not as each class is defined.

Python up to 3.12 compiles a text for each of six methods of a frozen dataclass. Most are never called, and to
compile them was 40 % of the time in which a program imports its modules. Python 3.13 compiles them together.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from typing import Any

_Method = Callable[..., Any]
_NAMES = {"_repr_fn": "__repr__", "_hash_fn": "__hash__"}
"""What makes a method that has one name -> that name."""
_COMPARING, _FREEZING = "_cmp_fn", "_frozen_get_del_attr"
_FROZEN = ("__setattr__", "__delattr__")


def compile_methods_late() -> None:
    """Do so for all dataclasses that are defined from now on, as the first act of a program.

    It does nothing on a Python that makes them in another way.
    """
    makers = vars(dataclasses)
    if sys.version_info >= (3, 13) or not {*_NAMES, _COMPARING, _FREEZING} <= makers.keys():
        return
    for maker, name in _NAMES.items():
        makers[maker] = _later(makers[maker], name)
    compare, freeze = makers[_COMPARING], makers[_FREEZING]
    makers[_COMPARING] = lambda name, *given, **named: _late(name, lambda: compare(name, *given, **named))

    def freezing(*given: Any, **named: Any) -> tuple[_Method, _Method]:
        first, second = (
            _late(name, lambda at=at: freeze(*given, **named)[at])  # type: ignore[misc]
            for at, name in enumerate(_FROZEN)
        )
        return first, second

    makers[_FREEZING] = freezing


def _later(maker: Callable[..., _Method], name: str) -> Callable[..., _Method]:
    return lambda *given, **named: _late(name, lambda: maker(*given, **named))


def _late(name: str, compiled: Callable[[], _Method]) -> _Method:
    """A method that puts the compiled one in its place as it is called for the first time."""

    def method(self: Any, *given: Any) -> Any:
        real = compiled()
        real.__qualname__ = method.__qualname__
        for kind in type(self).__mro__:
            if vars(kind).get(name) is method:
                setattr(kind, name, real)
        return real(self, *given)

    method.__name__ = name
    return method
