"""Ask whether a path leads anywhere, of all nodes of a screen at once: from the ends of the path backwards.

``//node[.//node[following::node[@text='x']]]`` takes three looks at the screen, not one for each node in it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from collector.hierarchy.xpath.axes import ATTRIBUTE, attributes_of_all, seen_from_all
from collector.hierarchy.xpath.document import AttributeNode, Member
from collector.hierarchy.xpath.evaluation import Code, Evaluation
from collector.hierarchy.xpath.predicates import MemberFilter

_BACK: Mapping[str, str] = {
    "self": "self",
    "parent": "child",
    "child": "parent",
    "descendant": "ancestor",
    "descendant-or-self": "ancestor-or-self",
    "ancestor": "descendant",
    "ancestor-or-self": "descendant-or-self",
    "following": "preceding",
    "preceding": "following",
    "following-sibling": "preceding-sibling",
    "preceding-sibling": "following-sibling",
}
"""For each axis the one that leads back."""


class Look(NamedTuple):
    """A step: its axis, and what keeps those of its nodes that pass its test and predicates."""

    axis: str
    attribute: str
    """Name of the attributes that an attribute axis takes; empty for all."""
    filters: Sequence[MemberFilter]


def existence(looks: Sequence[Look], code: Code[Sequence[Member]]) -> Code[bool]:
    """Code that says whether a relative path of ``looks`` has a node; ``code`` finds them from one node."""
    key = object()

    def exists(evaluation: Evaluation, member: Member, position: int, size: int) -> bool:
        if isinstance(member, AttributeNode):
            return bool(code(evaluation, member, position, size))
        return member in evaluation.once(key, lambda: _beginnings(evaluation, looks))

    return exists


def _beginnings(evaluation: Evaluation, looks: Sequence[Look]) -> frozenset[int]:
    """The elements from which the path leads to a node."""
    numbers: Sequence[int] = range(len(evaluation.document))
    for look in reversed(looks):
        is_attribute = look.axis == ATTRIBUTE
        seen: Sequence[Member] = numbers
        if is_attribute:
            seen = attributes_of_all(evaluation, look.attribute, numbers)
        for each in look.filters:
            seen = each(evaluation, seen)
        owners = [member if isinstance(member, int) else member.owner for member in seen]
        numbers = sorted(set(owners)) if is_attribute else seen_from_all(evaluation, _BACK[look.axis], owners)
    return frozenset(numbers)
