"""The recorded states as D-GARA's engine and validator see them, as columns."""

from __future__ import annotations

from collections.abc import Callable, Hashable

import numpy as np

from collector.rules.columns.node_columns import ABSENT, Flags, NodeColumnsView
from collector.rules.columns.state_columns import StateColumns
from collector.rules.columns.verdict_columns import VerdictColumns, same_verdict
from collector.rules.evaluation.state_view import WORDS_OF

Once = Callable[[Hashable, Callable[[], VerdictColumns]], VerdictColumns]
_GAP = " "
"""D-GARA writes this between the values of a node, and after them."""


class DgaraStateColumns:
    """The recorded states as D-GARA sees them; ``once`` caches the verdicts of conditions."""

    def __init__(self, states: StateColumns, once: Once) -> None:
        self.states = states
        self._once = once
        self._columns = states.columns

    def nowhere(self, deficit: int = 1) -> VerdictColumns:
        """Verdicts of states, of which none holds."""
        return same_verdict(len(self.states), holds=False, deficit=deficit)

    def blank_trees(self) -> VerdictColumns:
        """Verdicts of trees, to be filled in: none holds and none crashes."""
        count = self._columns.trees
        verdicts = same_verdict(count, holds=False, deficit=1)
        return VerdictColumns(verdicts.holds, verdicts.deficit, verdicts.evidence, np.zeros(count, np.bool_))

    @property
    def odd(self) -> list[int]:
        """Trees that ElementTree reads in another way than the columns, or not at all."""
        trees: list[int] = np.flatnonzero(~self._columns.plain).tolist()
        return trees

    @property
    def worded(self) -> Flags:
        """Whether each tree is read as the columns hold it and has nodes."""
        return self._columns.plain & (np.diff(self._columns.first) > 0)

    def with_keyword(self, word: str) -> Flags:
        """Whether each tree that is not odd has ``word``, in lower case, in D-GARA's text of all nodes."""
        within = self._columns.having_keyword(word)
        if _GAP not in word:
            return within
        maybe = self._columns.plain & ~within & self._straddled(word)
        flags = within.copy()
        for tree in np.flatnonzero(maybe).tolist():
            flags[tree] = word in self._text_of(tree)
        return flags

    def _text_of(self, tree: int) -> str:
        key = ("dgara text", tree)
        text: str | None = self.states.memo.get(key)
        if text is None:
            text = self.states.memo[key] = _text_of(tree, self._columns)
        return text

    def _straddled(self, word: str) -> Flags:
        """Where ``word`` may reach over values: one value ends and another begins with a part of it."""
        pieces = word.split(_GAP)
        ends, begins = np.zeros(self._columns.trees, np.bool_), np.zeros(self._columns.trees, np.bool_)
        for at in range(1, len(pieces)):
            ends |= self._columns.having_end(_GAP.join(pieces[:at]))
            begins |= self._columns.having_beginning(_GAP.join(pieces[at:]))
        return ends & begins


def _text_of(tree: int, columns: NodeColumnsView) -> str:
    start, end = columns.first[tree], columns.first[tree + 1]
    nodes = zip(*(columns.column(name)[start:end].tolist() for name in WORDS_OF), strict=True)
    pieces = (f"{columns.values[number] if number != ABSENT else ''} " for node in nodes for number in node)
    return "".join(pieces).lower()
