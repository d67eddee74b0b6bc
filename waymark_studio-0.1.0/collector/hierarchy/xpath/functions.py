"""The functions of XPath 1.0, without those on namespaces, ids and languages: dumps have none of them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from collector.hierarchy.xpath.document import Member
from collector.hierarchy.xpath.evaluation import Evaluation
from collector.hierarchy.xpath.values import Kind, number_of_text, text_of_member

_SPACES = re.compile(r"[ \t\r\n]+")
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Function:
    """A function: its result, the types of its arguments, and how many of them must be given."""

    kind: Kind
    parameters: tuple[Kind, ...]
    work: Callable[..., Any]
    """Called with the evaluation and the arguments."""
    least: int
    repeats: bool = False
    """Whether the last argument may be given any number of times."""
    is_of_context: bool = False
    """Whether a missing argument is the context node."""


def _concat(evaluation: Evaluation, *texts: str) -> str:
    evaluation.spend_on(*texts)
    return "".join(texts)


def _starts_with(evaluation: Evaluation, text: str, start: str) -> bool:
    evaluation.spend_on(start)
    return text.startswith(start)


def _contains(evaluation: Evaluation, text: str, part: str) -> bool:
    evaluation.spend_on(text, part)
    return part in text


def _substring_before(evaluation: Evaluation, text: str, part: str) -> str:
    evaluation.spend_on(text, part)
    before, found, _after = text.partition(part) if part else ("", "", "")
    return before if found else ""


def _substring_after(evaluation: Evaluation, text: str, part: str) -> str:
    evaluation.spend_on(text, part)
    return text.partition(part)[2] if part else text


def _substring(evaluation: Evaluation, text: str, first: float, length: float = math.inf) -> str:
    """Characters from position ``first`` on, counted from 1; both numbers are rounded, as XPath says."""
    evaluation.spend_on(text)
    begin = _round(evaluation, first)
    end = begin + _round(evaluation, length)
    if math.isnan(begin) or math.isnan(end):
        return ""
    begin, end = max(begin, 1.0), min(end, len(text) + 1.0)
    return text[int(begin) - 1 : int(end) - 1] if begin < end else ""


def _string_length(_evaluation: Evaluation, text: str) -> float:
    return float(len(text))


def _normalize_space(evaluation: Evaluation, text: str) -> str:
    evaluation.spend_on(text)
    return _SPACES.sub(" ", text).strip(" ")


def _translate(evaluation: Evaluation, text: str, old: str, new: str) -> str:
    evaluation.spend_on(text, text, text, old)  # each letter is looked up
    table: dict[int, str | None] = {}
    for at, letter in enumerate(old):
        table.setdefault(ord(letter), new[at] if at < len(new) else None)
    return text.translate(table)


def _name(evaluation: Evaluation, members: Sequence[Member]) -> str:
    """The name of the first node; the root has none."""
    if not members:
        return ""
    first = members[0]
    return evaluation.names[first] if isinstance(first, int) else first.name


def _sum(evaluation: Evaluation, members: Sequence[Member]) -> float:
    evaluation.spend(4 * len(members))
    return sum(number_of_text(text_of_member(member)) for member in members)


def _floor(_evaluation: Evaluation, number: float) -> float:
    return float(math.floor(number)) if math.isfinite(number) else number


def _ceiling(_evaluation: Evaluation, number: float) -> float:
    return float(math.ceil(number)) if math.isfinite(number) else number


def _round(_evaluation: Evaluation, number: float) -> float:
    """To the nearest whole number, and up from the middle between two."""
    return float(math.floor(number + _HALF)) if math.isfinite(number) else number


_NODES, _TEXT, _NUMBER, _BOOLEAN = Kind.NODES, Kind.TEXT, Kind.NUMBER, Kind.BOOLEAN
FUNCTIONS: Mapping[str, Function] = {
    "count": Function(_NUMBER, (_NODES,), lambda _evaluation, members: float(len(members)), 1),
    "name": Function(_TEXT, (_NODES,), _name, 0, is_of_context=True),
    "local-name": Function(_TEXT, (_NODES,), _name, 0, is_of_context=True),
    "string": Function(_TEXT, (_TEXT,), lambda _evaluation, text: text, 0, is_of_context=True),
    "concat": Function(_TEXT, (_TEXT, _TEXT), _concat, 2, repeats=True),
    "starts-with": Function(_BOOLEAN, (_TEXT, _TEXT), _starts_with, 2),
    "contains": Function(_BOOLEAN, (_TEXT, _TEXT), _contains, 2),
    "substring-before": Function(_TEXT, (_TEXT, _TEXT), _substring_before, 2),
    "substring-after": Function(_TEXT, (_TEXT, _TEXT), _substring_after, 2),
    "substring": Function(_TEXT, (_TEXT, _NUMBER, _NUMBER), _substring, 2),
    "string-length": Function(_NUMBER, (_TEXT,), _string_length, 0, is_of_context=True),
    "normalize-space": Function(_TEXT, (_TEXT,), _normalize_space, 0, is_of_context=True),
    "translate": Function(_TEXT, (_TEXT, _TEXT, _TEXT), _translate, 3),
    "boolean": Function(_BOOLEAN, (_BOOLEAN,), lambda _evaluation, value: value, 1),
    "not": Function(_BOOLEAN, (_BOOLEAN,), lambda _evaluation, value: not value, 1),
    "true": Function(_BOOLEAN, (), lambda _evaluation: True, 0),
    "false": Function(_BOOLEAN, (), lambda _evaluation: False, 0),
    "number": Function(_NUMBER, (_NUMBER,), lambda _evaluation, number: number, 0, is_of_context=True),
    "sum": Function(_NUMBER, (_NODES,), _sum, 1),
    "floor": Function(_NUMBER, (_NUMBER,), _floor, 1),
    "ceiling": Function(_NUMBER, (_NUMBER,), _ceiling, 1),
    "round": Function(_NUMBER, (_NUMBER,), _round, 1),
}
"""Every function but ``position`` and ``last``, which are asked of the context."""
