"""The states of a corpus as columns, which condition types are worked out on."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from collector.model.cancellation import check_cancelled
from collector.rules.columns.column_selectors import select_nodes
from collector.rules.columns.corpus import Corpus
from collector.rules.columns.node_columns import ABSENT, Flags, NodeColumnsView, Numbers, Places
from collector.rules.columns.verdict_columns import (
    VerdictColumns,
    of_proofs,
    same_verdict,
    verdicts_by_count,
    verdicts_where,
)
from collector.rules.evaluation.image_finder import ImageFinder
from collector.rules.evaluation.proof import CRASHES, Proof
from collector.rules.evaluation.state_view import StateView
from collector.rules.grammar.value_reader import compiled_selector

_VALUES_BETWEEN_CHECKS = 200


@dataclass(eq=False)
class StateColumns:
    """The states of a corpus as columns: ``tree`` and ``step`` of each, and the dumps' own columns.

    Arrays of trees have one entry for each distinct dump, arrays of states one for each state.
    """

    corpus: Corpus
    columns: NodeColumnsView
    tree: Places
    step: Numbers
    packages: tuple[str, ...]
    activities: tuple[str, ...]
    images: ImageFinder | None = None
    memo: dict[Hashable, Any] = field(default_factory=dict)
    """Results that condition types keep from one question to the next."""

    # Condition types reach these through the states, so that reading rules does not load numpy.
    verdicts_where = staticmethod(verdicts_where)
    verdicts_by_count = staticmethod(verdicts_by_count)
    verdicts_of_proofs = staticmethod(of_proofs)

    def __len__(self) -> int:
        return len(self.tree)

    def same_verdict(self, *, holds: bool, deficit: int = 0) -> VerdictColumns:
        """One verdict for all states, without evidence."""
        return same_verdict(len(self), holds=holds, deficit=deficit)

    def unknown(self) -> VerdictColumns:
        """The verdicts of a condition that nothing is known of, on any state."""
        return same_verdict(len(self), holds=False, deficit=1).where_seen(np.ones(len(self), np.bool_))

    @cached_property
    def shown(self) -> dict[int, int]:
        """Of every tree of the corpus: the position of the first state that shows it."""
        trees, positions = np.unique(self.tree, return_index=True)
        return dict(zip(trees.tolist(), positions.tolist(), strict=True))

    @cached_property
    def attributes(self) -> frozenset[str]:
        """Every attribute that a node of the corpus has."""
        return self.columns.names_in(self.shown)

    def values(self, name: str) -> list[str]:
        """The values of one attribute on all screens, in the order in which they were recorded first."""
        places = [
            np.arange(self.columns.first[tree], self.columns.first[tree + 1])
            for tree in sorted(self.shown, key=self.shown.__getitem__)
        ]
        numbers = self.columns.column(name)[np.concatenate(places)] if places else np.zeros(0, np.int32)
        used, first = np.unique(numbers, return_index=True)
        ordered = used[np.argsort(first)]
        return [self.columns.values[number] for number in ordered[ordered != ABSENT].tolist()]

    @cached_property
    def without_tree(self) -> Flags | None:
        """Which states show no node, so that nothing is known of their screen; None when there are none."""
        first = self.columns.first
        empty: Flags = (first[1:] == first[:-1])[self.tree]
        return empty if empty.any() else None

    def of_trees(self, verdicts: VerdictColumns) -> VerdictColumns:
        """Verdicts of trees as verdicts of states."""
        return verdicts.taken(self.tree)

    def selected(self, selector: str) -> Places | None:
        """The nodes of all trees that ``selector`` names; None for XPath, which needs the trees themselves.

        Raises SelectorError.
        """
        compound = compiled_selector(selector).compound
        return None if compound is None else select_nodes(compound, self.columns)

    def with_nodes(self, nodes: Places) -> Flags:
        """Whether each tree has one of ``nodes``."""
        return self.columns.trees_with(nodes)

    def values_fit(self, name: str, nodes: Places | None, fits: Callable[[str], bool]) -> Flags:
        """Whether an attribute of each of ``nodes`` (None = of all nodes) is there and fits.

        ``fits`` is called once for each value, and checks for cancellation by itself where it takes long.
        """
        column = self.columns.column(name)
        numbers = column if nodes is None else column[nodes]
        used = np.unique(numbers[numbers != ABSENT])
        fitting: list[bool] = []
        values = self.columns.values
        for at in range(0, len(used), _VALUES_BETWEEN_CHECKS):
            check_cancelled()
            fitting += [fits(values[number]) for number in used[at : at + _VALUES_BETWEEN_CHECKS].tolist()]
        return np.isin(numbers, used[fitting])

    def prove_states(self, prove: Callable[[StateView], Proof]) -> VerdictColumns:
        """State by state: right for every condition, and slow."""
        return self.prove_positions(lambda position: prove(self.corpus.view(position)))

    def prove_positions(self, prove: Callable[[int], Proof]) -> VerdictColumns:
        """State by state, each given by its position in the corpus. Raises Cancelled between two states."""
        proofs = []
        for position in range(len(self)):
            check_cancelled()
            proofs.append(prove(position))
        return of_proofs(proofs)

    def prove_dumps(self, prove: Callable[[StateView], Proof]) -> VerdictColumns:
        """Once for each distinct dump: for conditions that look at the dump alone."""
        blank = same_verdict(self.columns.trees, holds=False)
        verdicts = replace(blank, unseen=np.zeros(self.columns.trees, np.bool_))
        self.prove_trees(self.shown, prove, verdicts)
        return self.of_trees(verdicts)

    def prove_trees(
        self, trees: Iterable[int], prove: Callable[[StateView], Proof], into: VerdictColumns
    ) -> None:
        """Write the verdicts on some trees into verdicts of trees; trees of other corpora are left out.

        Raises Cancelled between two trees.
        """
        for tree in trees:
            position = self.shown.get(tree)
            if position is not None:
                check_cancelled()
                proof = prove(self.corpus.view(position))
                into.holds[tree], into.deficit[tree] = proof.holds, proof.deficit
                into.evidence[tree] = proof.evidence
                if into.crashed is not None:
                    into.crashed[tree] = proof.note == CRASHES
                if into.unseen is not None:
                    into.unseen[tree] = proof.unseen
