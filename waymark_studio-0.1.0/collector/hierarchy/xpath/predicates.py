"""Predicates keep some nodes of a set. What one says of a node is remembered while a screen is searched."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from collector.hierarchy.xpath.compiled import Compiled, as_boolean
from collector.hierarchy.xpath.document import Member
from collector.hierarchy.xpath.evaluation import Code, Evaluation
from collector.hierarchy.xpath.values import Kind

MemberFilter = Callable[[Evaluation, Sequence[Member]], Sequence[Member]]


def counts_places(predicate: Compiled) -> bool:
    """Whether the place of a node among the others decides."""
    return predicate.kind is Kind.NUMBER or predicate.counts_places


def predicate_filter(predicate: Compiled) -> MemberFilter:
    """The filter that a predicate is; a number is the place of a node, counted from 1."""
    if predicate.kind is Kind.NUMBER:
        return _only_place(predicate) if predicate.is_constant else _of_truth(predicate, _is_place(predicate))
    truth = as_boolean(predicate)
    keeps = predicate.searches and predicate.exists is None and not predicate.counts_places
    return _of_truth(predicate, _kept(truth) if keeps else truth)


def _of_truth(predicate: Compiled, truth: Code[bool]) -> MemberFilter:
    weight = max(1, predicate.weight) + counts_places(predicate)

    def pass_anywhere(evaluation: Evaluation, members: Sequence[Member]) -> Sequence[Member]:
        evaluation.spend(weight * len(members))
        return [member for member in members if truth(evaluation, member, 1, 1)]

    def pass_in_place(evaluation: Evaluation, members: Sequence[Member]) -> Sequence[Member]:
        size = len(members)
        evaluation.spend(weight * size)
        return [
            member for position, member in enumerate(members, 1) if truth(evaluation, member, position, size)
        ]

    return pass_in_place if counts_places(predicate) else pass_anywhere


def _only_place(predicate: Compiled) -> MemberFilter:
    def member_there(evaluation: Evaluation, members: Sequence[Member]) -> Sequence[Member]:
        place = predicate.code(evaluation, members[0], 1, 1) if members else 0.0
        return [members[int(place) - 1]] if 1 <= place <= len(members) and place == int(place) else ()

    return member_there


def _is_place(predicate: Compiled) -> Code[bool]:
    code = predicate.code
    return lambda evaluation, member, position, size: code(evaluation, member, position, size) == position


def _kept(truth: Code[bool]) -> Code[bool]:
    """Code that tests a node once, however often it is looked at."""
    key = object()

    def known(evaluation: Evaluation, member: Member, position: int, size: int) -> bool:
        truths: dict[Member, bool] = evaluation.once(key, dict)
        if member not in truths:
            truths[member] = truth(evaluation, member, position, size)
        return truths[member]

    return known
