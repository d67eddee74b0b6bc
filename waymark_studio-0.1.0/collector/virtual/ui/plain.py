"""Convert frozen dataclasses to plain data (dict, list, str, int, float, bool, None) and back."""

from __future__ import annotations

import dataclasses
import types
import typing
from collections.abc import Mapping
from typing import Any


def to_plain(value: Any) -> Any:
    """Convert a value to data that YAML and JSON can hold."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(to_plain(item) for item in value)
    return value


def from_plain(hint: Any, plain: Any) -> Any:
    """Build ``wanted`` (a type hint) from plain data; raise ValueError naming what does not fit."""
    return _build(hint, plain, "state")


def _build(hint: Any, plain: Any, where: str) -> Any:
    if hint is Any or hint is object:
        return plain
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return _build_dataclass(hint, plain, where)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return _build_union(arguments, plain, where)
    if origin is typing.Literal:
        if plain not in arguments:
            raise ValueError(f"{where} is {plain!r}; expected one of {', '.join(map(repr, arguments))}")
        return plain
    if origin in (tuple, list, set, frozenset):
        return _build_sequence(origin, arguments, plain, where)
    if origin is not None and issubclass(origin, Mapping):
        _expect(Mapping, plain, where)
        return {
            _build(arguments[0], key, f"{where}.{key}"): _build(arguments[1], item, f"{where}.{key}")
            for key, item in plain.items()
        }
    if hint is float and isinstance(plain, int) and not isinstance(plain, bool):
        return float(plain)
    if hint is int and isinstance(plain, bool):
        raise ValueError(f"{where} is {plain!r}; expected int")
    _expect(hint, plain, where)
    return plain


def _build_dataclass(hint: type[Any], plain: Any, where: str) -> Any:
    _expect(Mapping, plain, where)
    hints = typing.get_type_hints(hint)
    names = {field.name for field in dataclasses.fields(hint)}
    unknown = sorted(set(plain) - names)
    if unknown:
        raise ValueError(f"{where} has no field {unknown[0]!r}; it has {', '.join(sorted(names))}")
    try:
        return hint(**{key: _build(hints[key], item, f"{where}.{key}") for key, item in plain.items()})
    except TypeError as error:
        raise ValueError(f"{where}: {error}") from error


def _build_union(arguments: tuple[Any, ...], plain: Any, where: str) -> Any:
    if plain is None and type(None) in arguments:
        return None
    problem = ValueError(f"{where} does not fit")
    for choice in (argument for argument in arguments if argument is not type(None)):
        try:
            return _build(choice, plain, where)
        except ValueError as error:
            problem = error
    raise problem


def _build_sequence(origin: Any, arguments: tuple[Any, ...], plain: Any, where: str) -> Any:
    if not isinstance(plain, (list, tuple)):
        raise ValueError(f"{where} is {type(plain).__name__}; expected a list")
    if origin is tuple and arguments and arguments[-1] is not Ellipsis:
        if len(plain) != len(arguments):
            raise ValueError(f"{where} has {len(plain)} items; expected {len(arguments)}")
        places = [f"{where}[{i}]" for i in range(len(plain))]
        return tuple(map(_build, arguments, plain, places))
    item_type = arguments[0] if arguments else Any
    return origin(_build(item_type, item, f"{where}[{i}]") for i, item in enumerate(plain))


def _expect(hint: Any, plain: Any, where: str) -> None:
    if not isinstance(plain, hint):
        raise ValueError(f"{where} is {type(plain).__name__}; expected {hint.__name__}")
