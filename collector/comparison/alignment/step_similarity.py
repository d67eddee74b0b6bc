"""How alike the steps of two trajectories are: their screens and their actions, 0 to 1 for every pair.

Tokens that nearly every screen has, as the status bar, say little, so each weighs by how few screens have it.
Where the languages differ, texts are left out: structure and activity decide. Screens and actions that come
again are compared once, by blocks, so that two runs of ten thousand steps need no matrix of all pairs.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Sequence

import numpy as np

from collector.comparison.alignment.action_similarity import (
    Codes,
    Matrix,
    Numbering,
    action_columns,
    action_similarity,
)
from collector.comparison.alignment.picture_hash import BITS
from collector.comparison.alignment.step_signature import StepSignature, common_texts

Steps = slice | Codes
"""Steps of a trajectory: all from one to before another, or some by number."""
SCREEN, ACTION = 0.65, 0.35
"""Weights of screen and action in the similarity of two steps."""
_STRUCTURE, _TEXT, _PLACE = 0.35, 0.35, 0.3
_SAME_LANGUAGE = 0.3
"""Share of common texts from which two trajectories are in the same language."""
_OTHER_CONTENT = 0.08
"""Screens with so little in common are not the same, in the same activity either."""
_BLOCK = 128
"""So many pairs are taken from one block: of it only the diagonal is needed."""
_MOST_KEPT = 1_000_000
"""Similarities of so many pairs are kept, to be looked up; of more, each block is computed."""


class StepSimilarity:
    """The similarity of the steps of ``first`` (rows) and of ``second`` (columns)."""

    def __init__(self, first: Sequence[StepSignature], second: Sequence[StepSignature]) -> None:
        self.shape = len(first), len(second)
        self._same_language = min(1.0, common_texts(first, second) / _SAME_LANGUAGE)
        self._screen_of, screens = _different((first, second), StepSignature.screen)
        self._action_of, actions = _different((first, second), StepSignature.touch)
        own, other = screens
        self._structure = TokenSimilarity(own, other, lambda step: step.structure)
        self._texts = TokenSimilarity(own, other, lambda step: step.texts)
        numbering = Numbering()
        self._places = tuple(_PlaceColumns(steps, numbering) for steps in screens)
        self._pictures = tuple(_picture_bits(steps) for steps in screens)
        self._actions = tuple(action_columns(steps, numbering) for steps in actions)
        self._of_screens = _Lookup(self._compare_screens, *map(len, screens))
        self._of_actions = _Lookup(self._compare_actions, *map(len, actions))

    def block(self, rows: Steps, columns: Steps) -> Matrix:
        """The similarity of some steps of the first with some of the second."""
        block: Matrix = SCREEN * self.screens(rows, columns) + ACTION * self.actions(rows, columns)
        return block

    def of_pairs(self, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """The similarity of steps of the first, each with the step of the second at the same place."""
        return self._of_pairs(self.block, rows, columns)

    def actions_of_pairs(self, rows: Sequence[int], columns: Sequence[int]) -> Matrix:
        """The similarity of the actions of such pairs; their screens do not count."""
        return self._of_pairs(self.actions, rows, columns)

    def _of_pairs(
        self, block: Callable[[Steps, Steps], Matrix], rows: Sequence[int], columns: Sequence[int]
    ) -> Matrix:
        parts = [
            block(np.array(rows[at : at + _BLOCK]), np.array(columns[at : at + _BLOCK])).diagonal()
            for at in range(0, len(rows), _BLOCK)
        ]
        return np.concatenate([np.empty(0, np.float32), *parts])

    def actions(self, rows: Steps, columns: Steps) -> Matrix:
        """The similarity of the actions alone: kind, target, text."""
        return self._of_actions.block(self._action_of[0][rows], self._action_of[1][columns])

    def screens(self, rows: Steps, columns: Steps) -> Matrix:
        """The similarity of the screens alone. What nothing is known of is half alike."""
        return self._of_screens.block(self._screen_of[0][rows], self._screen_of[1][columns])

    def _compare_actions(self, rows: Codes, columns: Codes) -> Matrix:
        first, second = self._actions
        return action_similarity(first.rows(rows), second.rows(columns), self._same_language)

    def _compare_screens(self, rows: Codes, columns: Codes) -> Matrix:
        content = [
            (_STRUCTURE, self._structure.block(rows, columns)),
            (_TEXT * self._same_language, self._texts.block(rows, columns)),
        ]
        # Pictures speak where a tree has no text.
        pictures = self._picture_block(rows, columns)
        if pictures is not None:
            content.append((_TEXT, pictures))
        shown, weight = _mean(content)
        place = self._place_block(rows, columns)
        # A dialog over an activity, as of a crash, is another screen whatever the activity is.
        place = np.where((weight > 0) & (shown < _OTHER_CONTENT), np.nan, place)
        return np.nan_to_num(_mean([*content, (_PLACE, place)])[0], nan=0.5).astype(np.float32)

    def _picture_block(self, rows: Codes, columns: Codes) -> Matrix | None:
        """The similarity of pictures, nan where both have texts; None when no pair has pictures."""
        block = _picture_block(self._pictures[0][rows], self._pictures[1][columns])
        if block is None:
            return None
        first, second = self._texts.are_empty
        return np.where(first[rows][:, None] | second[columns][None, :], block, np.nan)

    def _place_block(self, rows: Codes, columns: Codes) -> Matrix:
        """1 for the same activity, a third for the same app; nan where either app is not known."""
        first, second = self._places
        app, other_app = first.app[rows][:, None], second.app[columns][None, :]
        same = first.activity[rows][:, None] == second.activity[columns][None, :]
        place = np.where(app == other_app, np.where(same, 1.0, 1 / 3), 0.0)
        return np.where((app < 0) | (other_app < 0), np.nan, place).astype(np.float32)


def _different(
    sides: Sequence[Sequence[StepSignature]], key: Callable[[StepSignature], Hashable]
) -> tuple[list[Codes], list[list[StepSignature]]]:
    """Of each side the steps that differ in ``key``, and before them of each step which of them it is."""
    numbers: list[dict[Hashable, int]] = [{} for _side in sides]
    codes = [
        np.array([known.setdefault(key(step), len(known)) for step in steps], np.int64)
        for known, steps in zip(numbers, sides, strict=True)
    ]
    firsts = [np.unique(each, return_index=True)[1] for each in codes]
    return codes, [[steps[at] for at in first] for steps, first in zip(sides, firsts, strict=True)]


class _Lookup:
    """The similarity of things by their numbers. Of few pairs it is kept, a row at a time."""

    def __init__(self, compare: Callable[[Codes, Codes], Matrix], rows: int, columns: int) -> None:
        self._compare = compare
        is_kept = rows * columns <= _MOST_KEPT
        self._kept: Matrix | None = np.empty((rows, columns), np.float32) if is_kept else None
        self._is_known = np.zeros(rows, bool)

    def block(self, rows: Codes, columns: Codes) -> Matrix:
        """The similarity of each of ``rows`` and each of ``columns``; both may have repetitions."""
        mine, own_places = np.unique(rows, return_inverse=True)
        if self._kept is None:
            theirs, other_places = np.unique(columns, return_inverse=True)
            return self._compare(mine, theirs)[np.ix_(own_places, other_places)]
        new = mine[~self._is_known[mine]]
        if len(new):
            self._kept[new] = self._compare(new, np.arange(self._kept.shape[1]))
            self._is_known[new] = True
        return self._kept[np.ix_(rows, columns)]


def _mean(parts: Sequence[tuple[float, Matrix]]) -> tuple[Matrix, Matrix]:
    """The weighted mean of what is known, nan where nothing is; and the weight of what is known."""
    total = np.zeros(parts[0][1].shape, np.float32)
    weights = np.zeros_like(total)
    for weight, part in parts:
        known = ~np.isnan(part)
        total += np.where(known, weight * np.nan_to_num(part), 0)
        weights += weight * known
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(weights > 0, total / weights, np.nan), weights


class _PlaceColumns:
    """App and activity of each step, as numbers; -1 where the app is not known."""

    def __init__(self, steps: Sequence[StepSignature], numbering: Numbering) -> None:
        self.app: Codes = np.array([numbering.number(step.package) for step in steps], np.int64)
        self.activity: Codes = np.array(
            [numbering.number((step.package, step.activity)) for step in steps], np.int64
        )


class TokenSimilarity:
    """Dice's coefficient of weighted sets of tokens; nan where either set is empty."""

    def __init__(
        self, first: Sequence[StepSignature], second: Sequence[StepSignature],
        tokens: Callable[[StepSignature], frozenset[str]],
    ) -> None:  # fmt: skip
        numbers: dict[frozenset[str], int] = {}
        self._sets = tuple(
            np.array([numbers.setdefault(tokens(step), len(numbers)) for step in steps], np.int64)
            for steps in (first, second)
        )
        seen = Counter(token for screen in numbers for token in screen)
        index = {token: place for place, token in enumerate(seen)}
        self._tokens = [np.array([index[token] for token in screen], np.int64) for screen in numbers]
        weights = [math.log(1 + len(numbers) / count) for count in seen.values()]
        empty = numbers.get(frozenset(), -1)
        self.are_empty = tuple(sets == empty for sets in self._sets)
        """Of each side the steps without tokens."""
        self._roots: Matrix = np.sqrt(np.array(weights, np.float32))
        self._sizes: Matrix = np.array(
            [(self._roots[place] ** 2).sum() for place in self._tokens], np.float32
        )

    def block(self, rows: Codes, columns: Codes) -> Matrix:
        """The similarity of some steps of the first with some of the second."""
        mine, own_places = np.unique(self._sets[0][rows], return_inverse=True)
        theirs, other_places = np.unique(self._sets[1][columns], return_inverse=True)
        own, other = self._dense(mine, theirs)
        own_sizes, other_sizes = self._sizes[mine][:, None], self._sizes[theirs][None, :]
        with np.errstate(divide="ignore", invalid="ignore"):
            dice = 2 * (own @ other.T) / (own_sizes + other_sizes)
        known = np.where((own_sizes == 0) | (other_sizes == 0), np.nan, np.minimum(dice, 1))
        return known[np.ix_(own_places, other_places)].astype(np.float32)

    def _dense(self, mine: Codes, theirs: Codes) -> tuple[Matrix, Matrix]:
        """Sets of tokens as rows of weights; the columns are the tokens that both sides have."""
        common = np.intersect1d(self._all_tokens(mine), self._all_tokens(theirs))
        return self._rows(mine, common), self._rows(theirs, common)

    def _all_tokens(self, sets: Codes) -> Codes:
        return np.concatenate([np.empty(0, np.int64), *(self._tokens[number] for number in sets)])

    def _rows(self, sets: Codes, columns: Codes) -> Matrix:
        dense = np.zeros((len(sets), len(columns)), np.float32)
        if len(columns):
            for row, number in enumerate(sets):
                tokens = self._tokens[number]
                places = np.minimum(np.searchsorted(columns, tokens), len(columns) - 1)
                places = places[columns[places] == tokens]
                dense[row, places] = self._roots[columns[places]]
        return dense


def _picture_bits(steps: Sequence[StepSignature]) -> Matrix:
    """Of each step the bits of its picture's hash as -1 and 1; zeros without one."""
    bits = np.zeros((len(steps), BITS), np.int8)
    for row, step in enumerate(steps):
        if step.picture is not None:
            data = np.frombuffer(step.picture.to_bytes(BITS // 8), np.uint8)
            bits[row] = np.unpackbits(data).astype(np.int8) * 2 - 1
    return bits.astype(np.float32)


def _picture_block(first: Matrix, second: Matrix) -> Matrix | None:
    """1 for equal hashes, 0 for hashes that differ in half of their bits; None when no pair has pictures."""
    own, other = (np.abs(bits).max(axis=1, initial=0) > 0 for bits in (first, second))
    if not own.any() or not other.any():
        return None
    # Equal bits less those that differ, by all: unrelated hashes differ in half of them.
    alike = np.maximum(0, (first @ second.T) / BITS)
    return np.where(own[:, None] & other[None, :], alike, np.nan).astype(np.float32)
