"""The syntax tree of an XPath expression: frozen values without behaviour."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Literal:
    """A text in quotes, or a number."""

    value: str | float


@dataclass(frozen=True, slots=True)
class Negation:
    """A minus before an expression."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Chain:
    """Operators of one rank from left to right, as in ``a or b or c`` or ``1 + 2 - 3``."""

    first: Expression
    rest: tuple[tuple[str, Expression], ...]
    """An operator and its right side each."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class NodeTest:
    """Which nodes of an axis a step takes: those of a name, ``*``, or of a type such as ``node()``."""

    name: str
    is_type: bool = False


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of a path, as in ``child::node[@text='x']``."""

    axis: str
    test: NodeTest
    predicates: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class Path:
    """Steps that begin at the root, at the nodes of ``start``, or at the context node."""

    steps: tuple[PathStep, ...]
    is_absolute: bool = False
    start: Expression | None = None


@dataclass(frozen=True, slots=True)
class Filter:
    """Predicates after an expression in parentheses, which count in document order."""

    operand: Expression
    predicates: tuple[Expression, ...]


Expression = Literal | Negation | Chain | Call | Path | Filter

COMPARISONS = frozenset(("=", "!=", "<", "<=", ">", ">="))
ANY_NODE = NodeTest("node", is_type=True)
HERE = Path((PathStep("self", ANY_NODE),))
"""The path ``.``."""


def parts_of(expression: Expression) -> Iterator[Expression]:
    """The expressions directly inside one, from left to right."""
    match expression:
        case Negation(operand):
            yield operand
        case Chain(first, rest):
            yield first
            yield from (operand for _operator, operand in rest)
        case Call(_, arguments):
            yield from arguments
        case Filter(operand, predicates):
            yield operand
            yield from predicates
        case Path(steps, _, start):
            if start is not None:
                yield start
            yield from (predicate for step in steps for predicate in step.predicates)


def walk(expression: Expression) -> Iterator[Expression]:
    """An expression and every one inside it."""
    waiting = [expression]
    while waiting:
        yield (inner := waiting.pop())
        waiting += parts_of(inner)
