"""A compiled expression, and its value as a text, a number or a boolean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from collector.hierarchy.errors import SelectorError
from collector.hierarchy.xpath.document import Member
from collector.hierarchy.xpath.evaluation import Code, Evaluation
from collector.hierarchy.xpath.values import (
    Kind,
    boolean_of_number,
    number_of_text,
    text_of_boolean,
    text_of_member,
    text_of_number,
)
from collector.model.i18n import _


@dataclass(frozen=True, slots=True)
class Compiled:
    """Code, and what is known of its value without running it."""

    kind: Kind
    code: Code[Any]
    """Of a node-set: a list in document order."""
    weight: int = 0
    """Steps that one run takes besides those it counts itself."""
    counts_places: bool = False
    """Whether it asks for ``position()`` or ``last()``."""
    searches: bool = False
    """Whether it follows axes from each context node by itself, so that its result is worth keeping."""
    is_constant: bool = False
    """Whether it gives the same for every context node."""
    has_attributes: bool = False
    """Of a node-set: whether attributes may be in it."""
    attribute: str = ""
    """Of a node-set: the name when it is one attribute of the context node, as in ``@text``."""
    exists: Code[bool] | None = None
    """Of a node-set: code that asks of all context nodes at once whether it has a node."""
    literal: str | None = None
    """The text when it is one in quotes."""


def expect_nodes(value: Compiled) -> None:
    """Raises SelectorError for a value that is no node-set."""
    if value.kind is not Kind.NODES:
        raise SelectorError(
            _("The XPath cannot be read"),
            _("A value stands where nodes are needed"),
            _("Select nodes, as in //node[@text='Sign in']"),
        )


def read_attribute(name: str) -> Code[str | None]:
    """Code for the value of an attribute of the context node; None when it has none."""

    def read(evaluation: Evaluation, member: Member, _position: int, _size: int) -> str | None:
        return evaluation.nodes[member].attributes.get(name) if isinstance(member, int) else None

    return read


def as_text(value: Compiled) -> Code[str]:
    """Code for ``string(value)``."""
    code = value.code
    if value.kind is Kind.TEXT:
        return code
    if value.kind is Kind.NUMBER:
        return lambda *context: text_of_number(code(*context))
    if value.kind is Kind.BOOLEAN:
        return lambda *context: text_of_boolean(code(*context))
    if value.attribute:
        read = read_attribute(value.attribute)
        return lambda *context: read(*context) or ""
    return lambda *context: next(map(text_of_member, code(*context)), "")


def as_number(value: Compiled) -> Code[float]:
    """Code for ``number(value)``."""
    code = value.code
    if value.kind is Kind.NUMBER:
        return code
    if value.kind is Kind.BOOLEAN:
        return lambda *context: float(code(*context))
    text = as_text(value)
    return lambda *context: number_of_text(text(*context))


def as_boolean(value: Compiled) -> Code[bool]:
    """Code for ``boolean(value)``."""
    code = value.code
    if value.kind is Kind.BOOLEAN:
        return code
    if value.kind is Kind.NUMBER:
        return lambda *context: boolean_of_number(code(*context))
    if value.attribute:
        read = read_attribute(value.attribute)
        return lambda *context: read(*context) is not None
    if value.exists is not None:
        return value.exists
    return lambda *context: bool(code(*context))


def as_kind(value: Compiled, kind: Kind) -> Code[Any]:
    """Code for the value as another type; no other type becomes a node-set."""
    match kind:
        case Kind.TEXT:
            return as_text(value)
        case Kind.NUMBER:
            return as_number(value)
        case Kind.BOOLEAN:
            return as_boolean(value)
        case Kind.NODES:
            return value.code
