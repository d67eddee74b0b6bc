"""Find the nodes of a selector in all trees at once, as :meth:`Compound.find` does in one tree."""

from __future__ import annotations

import numpy as np

from collector.hierarchy.selectors import Compound, Term
from collector.rules.columns.node_columns import ABSENT, Flags, NodeColumnsView, Numbers, Places


def select_nodes(compound: Compound, columns: NodeColumnsView) -> Places:
    """The nodes a selector names, in order of trees and of nodes within them."""
    first, *others = compound.terms
    nodes = np.flatnonzero(_matches(first, columns, columns.column(first.attribute)))
    for term in others:
        nodes = nodes[_matches(term, columns, columns.column(term.attribute)[nodes])]
    if compound.anchor is not None and len(nodes):
        nodes = nodes[_related(nodes, compound.relation, select_nodes(compound.anchor, columns), columns)]
    if compound.position is not None:
        trees = columns.tree_of[nodes]
        rank = np.arange(len(nodes)) - np.searchsorted(trees, trees)
        nodes = nodes[rank == compound.position - 1]
    return nodes


def _matches(term: Term, columns: NodeColumnsView, numbers: Numbers) -> Flags:
    wanted = term.value
    if term.operator == "=":
        number = columns.number(wanted)
        return numbers == number if number is not None else np.zeros(len(numbers), np.bool_)
    if term.operator == "*=":
        return columns.fitting(term.attribute, lambda have: wanted in have)[numbers]
    if term.operator == "^=":
        return columns.fitting(term.attribute, lambda have: have.startswith(wanted))[numbers]
    return columns.fitting(term.attribute, lambda have: have.endswith(wanted))[numbers]


def _related(nodes: Places, relation: str, anchors: Places, columns: NodeColumnsView) -> Flags:
    """Whether each of ``nodes`` is in ``relation`` to one of ``anchors``."""
    parent = columns.parent
    marked = np.zeros(columns.nodes + 1, np.bool_)  # the last is where ABSENT points
    if relation == "holding":
        above = parent[anchors]
        while len(above := np.unique(above[above != ABSENT])):
            above = above[~marked[above]]
            marked[above] = True
            above = parent[above]
        return marked[nodes]
    marked[anchors] = True
    if relation == "child of":
        return marked[parent[nodes]]
    if relation == "within":
        return _any_above(nodes, marked, parent)
    beside = np.bincount(parent[anchors] + 1, minlength=columns.nodes + 1)
    beside[0] = 0  # roots have no siblings
    return beside[parent[nodes] + 1] > marked[nodes]


def _any_above(nodes: Places, marked: Flags, parent: Places) -> Flags:
    within = np.zeros(len(nodes), np.bool_)
    above = parent[nodes]
    left = np.flatnonzero(above != ABSENT)
    while len(left):
        within[left] |= marked[above[left]]
        above[left] = parent[above[left]]
        left = left[(above[left] != ABSENT) & ~within[left]]
    return within
