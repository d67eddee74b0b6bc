"""Compile paths: axes and node tests.

A step whose predicates do not count places is taken from all nodes of a set at once, so that a path takes
time in proportion to the screen for each of its steps, and never for their product.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from collector.hierarchy.xpath.axes import ATTRIBUTE, attributes_of_all, seen_from_all, seen_from_one
from collector.hierarchy.xpath.compiled import Compiled, expect_nodes
from collector.hierarchy.xpath.document import ROOT, AttributeNode, Member
from collector.hierarchy.xpath.evaluation import Code, Evaluation
from collector.hierarchy.xpath.predicates import MemberFilter, counts_places, predicate_filter
from collector.hierarchy.xpath.syntax import ANY_NODE, Expression, NodeTest, Path, PathStep
from collector.hierarchy.xpath.values import Kind, in_document_order

Compile = Callable[[Expression], Compiled]
Stage = Callable[[Evaluation, Any], Sequence[Member]]
"""From one node-set to the next."""
_KEEP_ATTRIBUTES = frozenset(("self", "descendant-or-self", "ancestor-or-self"))


def compile_path(path: Path, compile_expression: Compile) -> Compiled:
    """Code for a path."""
    start = compile_expression(path.start) if path.start is not None else None
    if start is not None:
        expect_nodes(start)
    steps = list(_merged(path.steps, compile_expression))
    has_attributes = start.has_attributes if start is not None else not path.is_absolute
    stages = []
    for step, predicates in steps:
        stages.append(_stage(step, predicates, has_attributes=has_attributes))
        has_attributes = step.axis == ATTRIBUTE or (has_attributes and step.axis in _KEEP_ATTRIBUTES)
    is_constant = start.is_constant if start is not None else path.is_absolute
    code, attribute = _code(path, start, stages), _only_attribute(path)
    is_relative = start is None and not path.is_absolute
    return Compiled(
        Kind.NODES, _kept(code) if is_constant else code, weight=not attribute,
        counts_places=start is not None and start.counts_places,
        searches=not is_constant, is_constant=is_constant,
        has_attributes=has_attributes, attribute=attribute,
        exists=existence(_looks(steps), code) if is_relative and _is_askable(steps) else None,
    )  # fmt: skip


def _is_askable(steps: Sequence[tuple[PathStep, Sequence[Compiled]]]) -> bool:
    """Whether all nodes can be asked at once if the steps lead anywhere, with a cheap test of each."""
    is_last_alone = all(step.axis != ATTRIBUTE for step, _predicates in steps[:-1])
    return is_last_alone and not any(
        counts_places(predicate) or (predicate.searches and predicate.exists is None)
        for _step, predicates in steps
        for predicate in predicates
    )


def _looks(steps: Sequence[tuple[PathStep, Sequence[Compiled]]]) -> list[Look]:
    return [
        Look(step.axis, _attribute_name(step), [_node_test(step), *map(predicate_filter, predicates)])
        for step, predicates in steps
    ]


def _merged(
    steps: Iterable[PathStep], compile_expression: Compile
) -> Iterator[tuple[PathStep, list[Compiled]]]:
    """The steps with their predicates; ``//node[...]`` is one step unless a predicate counts children."""
    waiting = False
    for step in steps:
        predicates = [compile_expression(predicate) for predicate in step.predicates]
        if waiting and step.axis == "child" and not any(map(counts_places, predicates)):
            yield PathStep("descendant", step.test), predicates
            waiting = False
            continue
        if waiting:
            yield _BELOW, []
        waiting = step == _BELOW
        if not waiting:
            yield step, predicates
    if waiting:
        yield _BELOW, []


_BELOW = PathStep("descendant-or-self", ANY_NODE)


def _code(path: Path, start: Compiled | None, stages: Sequence[Stage]) -> Code[Sequence[Member]]:
    def code(evaluation: Evaluation, member: Member, position: int, size: int) -> Sequence[Member]:
        members: Sequence[Member] = (ROOT,) if path.is_absolute else (member,)
        if start is not None:
            members = start.code(evaluation, member, position, size)
        for stage in stages:
            if not members:
                break
            members = stage(evaluation, members)
        return members

    return code


def _kept(code: Code[Sequence[Member]]) -> Code[Sequence[Member]]:
    """Code that looks once for what is the same from every node."""
    key = object()
    return lambda evaluation, *context: evaluation.once(key, lambda: code(evaluation, *context))


def _only_attribute(path: Path) -> str:
    """``text`` of the path ``@text``; empty for any other path."""
    if path.is_absolute or path.start is not None or len(path.steps) != 1 or path.steps[0].predicates:
        return ""
    return _attribute_name(path.steps[0])


def _attribute_name(step: PathStep) -> str:
    """``text`` of the step ``@text[...]``; empty for any other step."""
    is_name = step.axis == ATTRIBUTE and not step.test.is_type and step.test.name != "*"
    return step.test.name if is_name else ""


def _stage(step: PathStep, predicates: Sequence[Compiled], *, has_attributes: bool) -> Stage:
    filters = [_node_test(step), *map(predicate_filter, predicates)]
    if has_attributes or any(map(counts_places, predicates)):
        return _one_by_one(step, filters)
    return _all_at_once(step, filters)


def _all_at_once(step: PathStep, filters: Sequence[MemberFilter]) -> Stage:
    axis, name = step.axis, _attribute_name(step)

    def stage(evaluation: Evaluation, numbers: Sequence[int]) -> Sequence[Member]:
        seen: Sequence[Member]
        if axis == ATTRIBUTE:
            seen = attributes_of_all(evaluation, name, numbers)
        else:
            seen = seen_from_all(evaluation, axis, numbers)
        for each in filters:
            seen = each(evaluation, seen)
        return seen

    return stage


def _one_by_one(step: PathStep, filters: Sequence[MemberFilter]) -> Stage:
    axis = step.axis

    def stage(evaluation: Evaluation, members: Sequence[Member]) -> Sequence[Member]:
        found: list[Member] = []
        for member in members:
            seen = seen_from_one(evaluation, axis, member)
            for each in filters:
                seen = each(evaluation, seen)
            found += seen
        return in_document_order(found)

    return stage


def _node_test(step: PathStep) -> MemberFilter:
    """Keep the nodes that the test of a step names."""
    test = step.test
    if test == ANY_NODE:
        return lambda _evaluation, members: members
    if test.is_type:
        return lambda _evaluation, _members: ()  # a screen has no texts between its tags, and no comments
    if step.axis == ATTRIBUTE:
        return _attribute_test(test)
    if test.name == "*":
        return lambda _evaluation, members: [m for m in members if isinstance(m, int) and m != ROOT]
    name = test.name

    def named(evaluation: Evaluation, members: Sequence[Member]) -> Sequence[Member]:
        names = evaluation.names
        return [member for member in members if isinstance(member, int) and names[member] == name]

    return named


def _attribute_test(test: NodeTest) -> MemberFilter:
    if test.name == "*":
        return lambda _evaluation, members: members
    name = test.name
    return lambda _evaluation, members: [
        m for m in members if isinstance(m, AttributeNode) and m.name == name
    ]


# Existence is answered for all nodes at once, from the end of the path backwards: a path inside a path takes
# one more look at the screen, and not one for each node.
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
