"""Comparisons: of a node-set they hold when they hold for one of its nodes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from collector.hierarchy.xpath.compiled import Compiled, as_boolean, as_number, read_attribute
from collector.hierarchy.xpath.document import Member
from collector.hierarchy.xpath.evaluation import Code, Evaluation
from collector.hierarchy.xpath.values import Kind, number_of_text, text_of_member

T = TypeVar("T")
Test = Callable[[Any, Any], bool]
_TESTS: Mapping[str, Test] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_EQUALITY = ("=", "!=")
_ONE_VALUE = 4
"""Steps charged for the value of a node in a set of several."""


def comparison(sign: str, left: Compiled, right: Compiled) -> Code[bool]:
    """Code for ``left sign right``."""
    if Kind.BOOLEAN in (left.kind, right.kind):
        if sign in _EQUALITY:
            return _between(_TESTS[sign], as_boolean(left), as_boolean(right))
        return _between(_TESTS[sign], _truth_as_number(left), _truth_as_number(right))
    if left.kind is Kind.NODES:
        return _of_two_sets(sign, left, right) if right.kind is Kind.NODES else _of_set(sign, left, right)
    if right.kind is Kind.NODES:
        return _of_set(_MIRRORED.get(sign, sign), right, left)
    if sign in _EQUALITY and left.kind is right.kind is Kind.TEXT:
        return _between(_TESTS[sign], left.code, right.code)
    return _between(_TESTS[sign], as_number(left), as_number(right))


def _truth_as_number(value: Compiled) -> Code[float]:
    """Beside a boolean a node-set counts as one, too."""
    if value.kind is not Kind.NODES:
        return as_number(value)
    truth = as_boolean(value)
    return lambda *context: float(truth(*context))


def _between(test: Test, left: Code[Any], right: Code[Any]) -> Code[bool]:
    return lambda *context: test(left(*context), right(*context))


def _of_set(sign: str, nodes: Compiled, value: Compiled) -> Code[bool]:
    """Code for a comparison of a node-set with a text or a number."""
    if sign in _EQUALITY and value.kind is Kind.TEXT:
        if nodes.attribute:
            return _of_attribute(_TESTS[sign], nodes.attribute, value)
        texts, wanted = _values(nodes, frozenset), value.code
        if sign == "=":
            return lambda *context: wanted(*context) in texts(*context)
        return lambda *context: bool(texts(*context) - {wanted(*context)})
    number = as_number(value)
    if nodes.attribute:
        return _of_attribute_as_number(_TESTS[sign], nodes.attribute, number)
    numbers = _values(nodes, _numbers_of)
    if sign == "=":
        return lambda *context: number(*context) in numbers(*context).values
    if sign == "!=":
        return lambda *context: numbers(*context).has_other_than(number(*context))
    test, end = _TESTS[sign], _nearest_end(sign)
    return lambda *context: test(end(numbers(*context)), number(*context))


def _of_attribute(test: Test, name: str, value: Compiled) -> Code[bool]:
    """The quick way for what nearly every path has: ``@text='Sign in'``."""
    read, wanted, literal = read_attribute(name), value.code, value.literal

    def is_literal(evaluation: Evaluation, member: Member, _position: int, _size: int) -> bool:
        have = evaluation.nodes[member].attributes.get(name) if isinstance(member, int) else None
        return have is not None and test(have, literal)

    def holds(evaluation: Evaluation, member: Member, position: int, size: int) -> bool:
        have = read(evaluation, member, position, size)
        return have is not None and test(have, wanted(evaluation, member, position, size))

    return holds if literal is None else is_literal


def _of_attribute_as_number(test: Test, name: str, number: Code[float]) -> Code[bool]:
    read = read_attribute(name)

    def holds(*context: Any) -> bool:
        have = read(*context)
        return have is not None and test(number_of_text(have), number(*context))

    return holds


def _of_two_sets(sign: str, left: Compiled, right: Compiled) -> Code[bool]:
    if sign in _EQUALITY:
        first, second = _values(left, frozenset), _values(right, frozenset)
        if sign == "=":
            return lambda *context: not first(*context).isdisjoint(second(*context))
        return lambda *context: _differ(first(*context), second(*context))
    these, those = _values(left, _numbers_of), _values(right, _numbers_of)
    test, nearest, farthest = _TESTS[sign], _nearest_end(sign), _nearest_end(_MIRRORED[sign])
    return lambda *context: test(nearest(these(*context)), farthest(those(*context)))


def _differ(these: frozenset[str], those: frozenset[str]) -> bool:
    """Whether one of ``these`` is another text than one of ``those``."""
    return bool(these and those) and len(these | those) > 1


@dataclass(frozen=True, slots=True)
class _Numbers:
    """The values of a node-set as numbers, for comparisons that take no look at each."""

    values: frozenset[float]
    """All but NaN."""
    least: float
    """NaN when there are none."""
    most: float
    has_nan: bool

    def has_other_than(self, number: float) -> bool:
        """Whether one of them is another number; NaN is another number than itself."""
        return self.has_nan or len(self.values) > (number in self.values)


def _numbers_of(texts: Iterable[str]) -> _Numbers:
    numbers = [number_of_text(text) for text in texts]
    known = frozenset(number for number in numbers if not math.isnan(number))
    least, most = (min(known), max(known)) if known else (math.nan, math.nan)
    return _Numbers(known, least, most, any(map(math.isnan, numbers)))


def _nearest_end(sign: str) -> Callable[[_Numbers], float]:
    """Which of some numbers is first to be ``sign`` another one."""
    return (lambda numbers: numbers.least) if sign in ("<", "<=") else (lambda numbers: numbers.most)


def _values(nodes: Compiled, of_texts: Callable[[Iterable[str]], T]) -> Code[T]:
    """Code for the string-values of a node-set, all together; worked out once for a set that is constant."""
    if nodes.attribute:
        read = read_attribute(nodes.attribute)
        return lambda *context: of_texts(() if (text := read(*context)) is None else (text,))
    code = nodes.code

    def values(evaluation: Evaluation, member: Member, position: int, size: int) -> T:
        members = code(evaluation, member, position, size)
        evaluation.spend(_ONE_VALUE * len(members))
        return of_texts(map(text_of_member, members))

    key = object()
    return values if not nodes.is_constant else (
        lambda evaluation, *context: evaluation.once(key, lambda: values(evaluation, *context))
    )  # fmt: skip
