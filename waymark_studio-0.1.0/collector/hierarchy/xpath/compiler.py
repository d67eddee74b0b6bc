"""Compile a syntax tree to code, with the type of every part checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.xpath.comparison import comparison
from collector.hierarchy.xpath.compiled import Compiled, as_boolean, as_kind, as_number, expect_nodes
from collector.hierarchy.xpath.document import Member
from collector.hierarchy.xpath.evaluation import Code, Evaluation
from collector.hierarchy.xpath.functions import FUNCTIONS, Function
from collector.hierarchy.xpath.paths import compile_path
from collector.hierarchy.xpath.predicates import predicate_filter
from collector.hierarchy.xpath.syntax import (
    COMPARISONS,
    HERE,
    Call,
    Chain,
    Expression,
    Filter,
    Literal,
    Negation,
    Path,
)
from collector.hierarchy.xpath.values import Kind, in_document_order
from collector.model.i18n import _


def compile_expression(expression: Expression) -> Compiled:
    """Raises SelectorError for a value of the wrong type, and for a function that is not there."""
    match expression:
        case Literal(value):
            return _literal(value)
        case Negation(operand):
            negated = compile_expression(operand)
            number = as_number(negated)
            return _joined(Kind.NUMBER, lambda *context: -number(*context), [negated])
        case Chain(first, rest):
            return _chain(first, rest)
        case Call(name, arguments):
            return _call(name, arguments)
        case Filter(operand, predicates):
            return _filter(operand, predicates)
        case Path():
            return compile_path(expression, compile_expression)


def _literal(value: str | float) -> Compiled:
    kind, literal = (Kind.TEXT, value) if isinstance(value, str) else (Kind.NUMBER, None)
    return Compiled(kind, lambda *_context: value, is_constant=True, literal=literal)


def _joined(
    kind: Kind, code: Code[Any], parts: Sequence[Compiled], *, weight: int = 1, of_truth: bool = False
) -> Compiled:
    """Code that is made of parts; of nodes it asks only whether there are any if ``of_truth``."""
    return Compiled(
        kind, code,
        weight=weight + sum(part.weight for part in parts),
        counts_places=any(part.counts_places for part in parts),
        searches=any(
            part.searches and not part.attribute and not (of_truth and part.exists) for part in parts
        ),
        is_constant=all(part.is_constant for part in parts),
        has_attributes=kind is Kind.NODES and any(part.has_attributes for part in parts),
    )  # fmt: skip


# -- operators -----------------------------------------------------------------
def _chain(first: Expression, rest: Sequence[tuple[str, Expression]]) -> Compiled:
    operators = [operator for operator, _operand in rest]
    parts = [compile_expression(first), *(compile_expression(operand) for _operator, operand in rest)]
    if operators[0] in COMPARISONS:
        return _comparisons(operators, parts)
    if operators[0] == "|":
        return _union(parts)
    if operators[0] in ("and", "or"):
        return _logic(parts, is_or=operators[0] == "or")
    return _arithmetic(operators, parts)


def _comparisons(operators: Sequence[str], parts: Sequence[Compiled]) -> Compiled:
    left = parts[0]
    for operator, right in zip(operators, parts[1:], strict=True):
        left = _joined(Kind.BOOLEAN, comparison(operator, left, right), [left, right])
    return left


def _logic(parts: Sequence[Compiled], *, is_or: bool) -> Compiled:
    truths = [as_boolean(part) for part in parts]

    def holds(evaluation: Evaluation, member: Member, position: int, size: int) -> bool:
        for truth in truths:
            if truth(evaluation, member, position, size) is is_or:
                return is_or
        return not is_or

    return _joined(Kind.BOOLEAN, holds, parts, weight=0, of_truth=True)


def _union(parts: Sequence[Compiled]) -> Compiled:
    for part in parts:
        expect_nodes(part)
    codes = [part.code for part in parts]

    def united(evaluation: Evaluation, *context: Any) -> list[Member]:
        members = list(chain.from_iterable(code(evaluation, *context) for code in codes))
        evaluation.spend(len(members))
        return in_document_order(members)

    return _joined(Kind.NODES, united, parts)


def _divided(one: float, other: float) -> float:
    if other:
        return one / other
    return math.nan if math.isnan(one) or not one else math.copysign(math.inf, one) * math.copysign(1, other)


def _remainder(one: float, other: float) -> float:
    return math.fmod(one, other) if other and math.isfinite(one) else math.nan


_ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": lambda one, other: one + other,
    "-": lambda one, other: one - other,
    "*": lambda one, other: one * other,
    "div": _divided,
    "mod": _remainder,
}


def _arithmetic(operators: Sequence[str], parts: Sequence[Compiled]) -> Compiled:
    first, *others = (as_number(part) for part in parts)
    works = [_ARITHMETIC[operator] for operator in operators]
    steps = list(zip(works, others, strict=True))

    def computed(*context: Any) -> float:
        number = first(*context)
        for work, other in steps:
            number = work(number, other(*context))
        return number

    return _joined(Kind.NUMBER, computed, parts, weight=len(parts))


# -- functions -----------------------------------------------------------------
def _call(name: str, arguments: Sequence[Expression]) -> Compiled:
    if name in ("position", "last"):
        _check_count(name, arguments, 0, 0)
        place = 2 if name == "position" else 3
        return Compiled(Kind.NUMBER, lambda *context: float(context[place]), counts_places=True)
    function = FUNCTIONS.get(name)
    if function is None:
        raise SelectorError(
            _("The XPath cannot be read"),
            _("There is no function {name}", name=name),
            _("Known are {names}", names=", ".join(sorted((*FUNCTIONS, "position", "last")))),
        )
    most = math.inf if function.repeats else len(function.parameters)
    _check_count(name, arguments, function.least, most)
    if not arguments and function.is_of_context:
        arguments = (HERE,)
    return _called(function, [compile_expression(argument) for argument in arguments])


def _called(function: Function, parts: Sequence[Compiled]) -> Compiled:
    kinds = [function.parameters[min(at, len(function.parameters) - 1)] for at in range(len(parts))]
    for part, kind in zip(parts, kinds, strict=True):
        if kind is Kind.NODES:
            expect_nodes(part)
    work = function.work
    codes = [as_kind(part, kind) for part, kind in zip(parts, kinds, strict=True)]

    def code(evaluation: Evaluation, member: Member, position: int, size: int) -> Any:
        return work(evaluation, *[argument(evaluation, member, position, size) for argument in codes])

    return _joined(
        function.kind, code, parts, weight=1 + len(parts), of_truth=Kind.BOOLEAN in function.parameters
    )  # fmt: skip


def _check_count(name: str, arguments: Sequence[Expression], least: float, most: float) -> None:
    if not least <= len(arguments) <= most:
        why = _("{name}() is called with a wrong number of values", name=name)
        raise SelectorError(_("The XPath cannot be read"), why)


# -- node-sets -----------------------------------------------------------------
def _filter(operand: Expression, predicates: Iterable[Expression]) -> Compiled:
    nodes = compile_expression(operand)
    expect_nodes(nodes)
    filters = [predicate_filter(compile_expression(predicate)) for predicate in predicates]

    def code(evaluation: Evaluation, *context: Any) -> Sequence[Member]:
        members: Sequence[Member] = nodes.code(evaluation, *context)
        for each in filters:
            members = each(evaluation, members)
        return members

    return _joined(Kind.NODES, code, [nodes])
