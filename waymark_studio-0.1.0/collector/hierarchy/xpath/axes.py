"""The axes: which nodes are seen from a node, and from all nodes of a set at once. Each node seen is a step.

A set is in document order. From a set every axis takes time in proportion to the screen, however many
nodes the set has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from collector.hierarchy.xpath.document import AttributeNode, Document, Member
from collector.hierarchy.xpath.evaluation import Evaluation

Numbers = Sequence[int]
ATTRIBUTE = "attribute"
_PRECEDING = "preceding"
_ONE_NODE = 4
"""Steps charged for a node from which an axis is followed by itself."""
_ONE_ATTRIBUTE = 3


def _children(document: Document, number: int) -> list[int]:
    children, at, end = [], number + 1, document.ends[number]
    while at < end:
        children.append(at)
        at = document.ends[at]
    return children


def _ancestors(document: Document, number: int) -> list[int]:
    """From the parent to the root."""
    above, at = [], document.parents[number]
    while at >= 0:
        above.append(at)
        at = document.parents[at]
    return above


def _siblings_after(document: Document, number: int) -> list[int]:
    parent = document.parents[number]
    after, at = [], document.ends[number]
    while parent >= 0 and at < document.ends[parent]:
        after.append(at)
        at = document.ends[at]
    return after


def _siblings_before(document: Document, number: int) -> list[int]:
    """From the nearest to the first."""
    parent = document.parents[number]
    before, at = [], parent + 1
    while at < number and parent >= 0:
        before.append(at)
        at = document.ends[at]
    before.reverse()
    return before


def _preceding(document: Document, number: int) -> list[int]:
    """From the nearest to the first; ancestors are not among them."""
    ends = document.ends
    return [before for before in range(number - 1, 0, -1) if ends[before] <= number]


_FROM_ONE: Mapping[str, Callable[[Document, int], Numbers]] = {
    "self": lambda _document, number: (number,),
    "parent": lambda document, number: (document.parents[number],) if number else (),
    "child": _children,
    "descendant": lambda document, number: range(number + 1, document.ends[number]),
    "descendant-or-self": lambda document, number: range(number, document.ends[number]),
    "ancestor": _ancestors,
    "ancestor-or-self": lambda document, number: [number, *_ancestors(document, number)],
    "following": lambda document, number: range(document.ends[number], len(document)),
    "preceding": _preceding,
    "following-sibling": _siblings_after,
    "preceding-sibling": _siblings_before,
}
"""The nodes on each axis from one element, in the order of the axis: reverse axes go up or back."""


def _from_attribute(document: Document, axis: str, attribute: AttributeNode) -> Sequence[Member]:
    """The nodes on an axis from an attribute, which has nothing below it and no siblings."""
    match axis:
        case "self" | "descendant-or-self":
            return (attribute,)
        case "parent":
            return (attribute.owner,)
        case "ancestor":
            return _FROM_ONE["ancestor-or-self"](document, attribute.owner)
        case "ancestor-or-self":
            return (attribute, *_FROM_ONE["ancestor-or-self"](document, attribute.owner))
        case "following" | "preceding":
            return _FROM_ONE[axis](document, attribute.owner)
        case _:
            return ()


def _children_of_all(document: Document, numbers: Numbers) -> Numbers:
    return sorted(chain.from_iterable(_children(document, number) for number in numbers))


def _ranges(document: Document, numbers: Numbers, offset: int) -> Numbers:
    """What lies below the nodes, from ``offset`` 0 with the nodes themselves; each once."""
    ranges, reached = [], 0
    for number in numbers:
        end = document.ends[number]
        if end > reached and (begin := max(number + offset, reached)) < end:
            ranges.append(range(begin, end))
            reached = end
    return ranges[0] if len(ranges) == 1 else list(chain.from_iterable(ranges))


def _ancestors_of_all(document: Document, numbers: Numbers) -> Numbers:
    above: set[int] = set()
    for number in numbers:
        at = document.parents[number]
        while at >= 0 and at not in above:
            above.add(at)
            at = document.parents[at]
    return sorted(above)


def _following_all(document: Document, numbers: Numbers) -> Numbers:
    first = min((document.ends[number] for number in numbers), default=len(document))
    return range(first, len(document))


def _preceding_all(document: Document, numbers: Numbers) -> Numbers:
    """What precedes any of the nodes precedes the last: of what is around that one, it is around all."""
    return _preceding(document, numbers[-1])[::-1] if numbers else ()


def _siblings_after_all(document: Document, numbers: Numbers) -> Numbers:
    first = {document.parents[number]: number for number in reversed(numbers)}
    return sorted(chain.from_iterable(_siblings_after(document, number) for number in first.values()))


def _siblings_before_all(document: Document, numbers: Numbers) -> Numbers:
    last = {document.parents[number]: number for number in numbers}
    return sorted(chain.from_iterable(_siblings_before(document, number) for number in last.values()))


_FROM_ALL: Mapping[str, Callable[[Document, Numbers], Numbers]] = {
    "self": lambda _document, numbers: numbers,
    "parent": lambda document, numbers: sorted({document.parents[number] for number in numbers} - {-1}),
    "child": _children_of_all,
    "descendant": lambda document, numbers: _ranges(document, numbers, 1),
    "descendant-or-self": lambda document, numbers: _ranges(document, numbers, 0),
    "ancestor": _ancestors_of_all,
    "ancestor-or-self": lambda document, numbers: sorted({*numbers, *_ancestors_of_all(document, numbers)}),
    "following": _following_all,
    "preceding": _preceding_all,
    "following-sibling": _siblings_after_all,
    "preceding-sibling": _siblings_before_all,
}
"""The nodes on each axis from any of some elements, in document order."""


def seen_from_all(evaluation: Evaluation, axis: str, numbers: Numbers) -> Numbers:
    """The elements on an axis from any of some elements, in document order."""
    if axis == _PRECEDING and numbers:
        evaluation.spend(numbers[-1])
    seen = _FROM_ALL[axis](evaluation.document, numbers)
    evaluation.spend(len(numbers) + len(seen))
    return seen


def seen_from_one(evaluation: Evaluation, axis: str, member: Member) -> Sequence[Member]:
    """The nodes on an axis from one node, in the order of the axis: reverse axes go up or back."""
    if axis == ATTRIBUTE:
        return attributes_of_all(evaluation, "", [member] if isinstance(member, int) else ())
    if axis == _PRECEDING and isinstance(member, int):
        evaluation.spend(member)
    if isinstance(member, int):
        seen: Sequence[Member] = _FROM_ONE[axis](evaluation.document, member)
    else:
        seen = _from_attribute(evaluation.document, axis, member)
    evaluation.spend(_ONE_NODE + len(seen))
    return seen


def attributes_of_all(evaluation: Evaluation, name: str, numbers: Numbers) -> Sequence[AttributeNode]:
    """The attributes of some elements; only those called ``name``, unless that is empty."""
    document = evaluation.document
    evaluation.spend(_ONE_NODE + len(numbers))
    if name:
        return document.attribute_nodes_named(name, numbers)
    attributes: list[AttributeNode] = []
    for number in numbers:
        own = document.attribute_nodes(number)
        evaluation.spend(_ONE_ATTRIBUTE * len(own))
        attributes += own
    return attributes
