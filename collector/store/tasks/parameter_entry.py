"""The parameters of a task as its entry in ``tasks.yaml`` writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from collector.model.task_parameter import DATE, NUMBER, ONE_OF, PHONE, WORDS, Parameter


def parameters_from(value: object) -> tuple[Parameter, ...] | None:
    """The parameters of a mapping from names to generators; None for a value of another kind."""
    if not isinstance(value, Mapping) or not value:
        return None
    parameters = [_parameter(str(name), written) for name, written in value.items()]
    found = tuple(parameter for parameter in parameters if parameter is not None)
    return found if len(found) == len(parameters) else None


def parameter_values(parameters: Iterable[Parameter]) -> dict[str, Any]:
    """The mapping of parameters in a task's entry."""
    return {parameter.name: _written(parameter) for parameter in parameters}


def _parameter(name: str, written: object) -> Parameter | None:
    if isinstance(written, list):
        return Parameter(name, options=tuple(map(str, written))) if _are_scalars(written) else None
    if not isinstance(written, Mapping):
        return Parameter(name, options=(str(written),)) if _are_scalars([written]) else None
    match dict(written):
        case {"words": int(count), **rest} if not rest:
            return Parameter(name, WORDS, count=count)
        case {"number": [first, last], **rest} if not rest and _are_scalars([first, last]):
            return Parameter(name, NUMBER, first=str(first), last=str(last))
        case {"date": [first, last], **rest} if set(rest) <= {"format"} and _are_scalars([first, last]):
            return Parameter(name, DATE, first=str(first), last=str(last), format=str(rest.get("format", "")))
        case {"phone": str(source), **rest} if not rest:
            return Parameter(name, PHONE, source=source)
    return None


def _are_scalars(values: Iterable[object]) -> bool:
    return not any(value is None or isinstance(value, list | dict | bool) for value in values)


def _written(parameter: Parameter) -> Any:
    match parameter.kind:
        case "words":
            return {WORDS: parameter.count}
        case "number":
            return {NUMBER: [int(end) if end.lstrip("-").isdigit() else end for end in _ends(parameter)]}
        case "date":
            spelled = {"format": parameter.format} if parameter.format else {}
            return {DATE: _ends(parameter), **spelled}
        case "phone":
            return {PHONE: parameter.source}
    assert parameter.kind == ONE_OF
    return list(parameter.options)


def _ends(parameter: Parameter) -> list[str]:
    return [parameter.first, parameter.last]
