"""How alike the steps of two trajectories are: their screens and their actions, 0 to 1 for every pair.

Tokens that nearly every screen has, as the status bar, say little, so each weighs by how few screens have it.
Where the languages differ, texts are left out: structure and activity decide.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from collector.model.action import Action, Complete, Key, OpenApp, Scroll, Type
from collector.model.geometry import Size
from collector.model.trajectory import Target
from collector.replay.alignment.picture_hash import picture_likeness
from collector.replay.alignment.step_signature import StepSignature, common_texts

Matrix = NDArray[np.float32]
SCREEN, ACTION = 0.65, 0.35
"""Weights of screen and action in the likeness of two steps."""
_STRUCTURE, _TEXT, _PLACE = 0.35, 0.35, 0.3
_SAME_LANGUAGE = 0.3
"""Share of common texts from which two trajectories are in the same language."""
_FAR = 0.25
"""Two touches so far apart, as a share of the screen's diagonal, have nothing in common."""


def step_likeness(first: Sequence[StepSignature], second: Sequence[StepSignature]) -> Matrix:
    """Of every step of ``first`` (rows) and of ``second`` (columns) how alike they are."""
    return SCREEN * screen_likeness(first, second) + ACTION * action_likeness(first, second)


def screen_likeness(first: Sequence[StepSignature], second: Sequence[StepSignature]) -> Matrix:
    """The likeness of the screens alone."""
    text_weight = _TEXT * min(1.0, common_texts(first, second) / _SAME_LANGUAGE)
    parts = [
        (_STRUCTURE, _weighted_dice(first, second, lambda item: item.structure)),
        (text_weight, _weighted_dice(first, second, lambda item: item.texts)),
        (_PLACE, _same_place(first, second)),
    ]
    total = np.zeros((len(first), len(second)), np.float32)
    weights = np.zeros_like(total)
    for weight, part in parts:
        known = ~np.isnan(part)
        total += np.where(known, weight * np.nan_to_num(part), 0)
        weights += weight * known
    return _with_pictures(first, second, total, weights)


def _with_pictures(
    first: Sequence[StepSignature], second: Sequence[StepSignature], total: Matrix, weights: Matrix
) -> Matrix:
    """Pictures speak where a tree has no text; what nothing is known of is half alike."""
    rows = [place for place, item in enumerate(first) if item.picture is not None]
    columns = [place for place, item in enumerate(second) if item.picture is not None]
    for row in rows:
        for column in columns:
            mine, theirs = first[row].picture, second[column].picture
            if mine is not None and theirs is not None:
                total[row, column] += _TEXT * picture_likeness(mine, theirs)
                weights[row, column] += _TEXT
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(weights > 0, total / weights, 0.5).astype(np.float32)


def _weighted_dice(
    first: Sequence[StepSignature], second: Sequence[StepSignature],
    tokens: Callable[[StepSignature], frozenset[str]],
) -> Matrix:  # fmt: skip
    """Dice's coefficient of weighted sets for every pair; nan where either set is empty."""
    screens = list(dict.fromkeys(tokens(item) for item in (*first, *second)))
    seen = Counter(token for screen in screens for token in screen)
    index = {token: place for place, token in enumerate(seen)}
    weights = np.array([math.log(1 + len(screens) / count) for count in seen.values()], np.float32)
    unique = np.zeros((len(screens), max(1, len(seen))), np.float32)
    for place, screen in enumerate(screens):
        unique[place, [index[token] for token in screen]] = 1
    scaled = unique * np.sqrt(weights) if len(seen) else unique
    numbers = {screen: place for place, screen in enumerate(screens)}
    mine = [numbers[tokens(item)] for item in first]
    theirs = [numbers[tokens(item)] for item in second]
    sizes = (scaled**2).sum(axis=1)
    sums = sizes[mine][:, None] + sizes[theirs][None, :]
    rows, columns = list(dict.fromkeys(mine)), list(dict.fromkeys(theirs))
    common = np.zeros((len(screens), len(screens)), np.float32)
    common[np.ix_(rows, columns)] = scaled[rows] @ scaled[columns].T
    with np.errstate(divide="ignore", invalid="ignore"):
        dice = 2 * common[np.ix_(mine, theirs)] / sums
    empty = np.logical_or((sizes[mine] == 0)[:, None], (sizes[theirs] == 0)[None, :])
    return np.where(empty, np.nan, np.minimum(dice, 1)).astype(np.float32)


def _same_place(first: Sequence[StepSignature], second: Sequence[StepSignature]) -> Matrix:
    """1 for the same activity, a third for the same app; nan where either app is not known."""

    def place(mine: StepSignature, theirs: StepSignature) -> float:
        if not mine.package or not theirs.package:
            return math.nan
        if mine.package != theirs.package:
            return 0.0
        return 1.0 if mine.activity == theirs.activity else 1 / 3

    return _of_pairs(first, second, lambda item: (item.package, item.activity), place)


def action_likeness(first: Sequence[StepSignature], second: Sequence[StepSignature]) -> Matrix:
    """The likeness of the actions alone: kind, target, text."""
    return _of_pairs(
        first, second, lambda item: (item.action, _target_key(item.target), item.size), _like_actions
    )


def _of_pairs(
    first: Sequence[StepSignature], second: Sequence[StepSignature], key: Callable[[StepSignature], Any],
    compare: Callable[[StepSignature, StepSignature], float],
) -> Matrix:  # fmt: skip
    """A comparison of every pair; steps with the same key are compared once."""
    mine, theirs = [key(item) for item in first], [key(item) for item in second]
    rows = dict(zip(mine, first, strict=True))
    columns = dict(zip(theirs, second, strict=True))
    values = {(row, column): compare(rows[row], columns[column]) for row in rows for column in columns}
    return np.array([[values[row, column] for column in theirs] for row in mine], np.float32).reshape(
        len(first), len(second)
    )


def _like_actions(mine: StepSignature, theirs: StepSignature) -> float:
    own, other = mine.action, theirs.action
    if own is None or other is None:
        # The last screen has no action; agents end there with one.
        ends = own is other or isinstance(own or other, Complete)
        return float(ends)
    if own.kind != other.kind:
        return 0.0
    if isinstance(own, Type) and isinstance(other, Type):
        return 1.0 if own.text.casefold() == other.text.casefold() else 0.6
    if isinstance(own, Key | OpenApp | Scroll):
        return 1.0 if own == other else 0.4
    if mine.target is not None and theirs.target is not None:
        return 0.3 + 0.7 * _like_targets(mine, theirs)
    return 0.3 + 0.7 * _nearness(own, mine.size, other, theirs.size)


def _target_key(target: Target | None) -> Any:
    return None if target is None else (_names(target), target.bounds)


def _names(target: Target) -> tuple[str, str, str]:
    get = target.attributes.get
    label = (get("text") or get("content-desc") or "").casefold()
    return get("class", ""), get("resource-id", "").rpartition("/")[2], " ".join(label.split())


def _like_targets(mine: StepSignature, theirs: StepSignature) -> float:
    """Targets by id and label; where neither has one, by place."""
    assert mine.target is not None
    assert theirs.target is not None
    own, other = _names(mine.target), _names(theirs.target)
    if own == other and any(own[1:]):
        return 1.0
    same_id = own[1] == other[1] and bool(own[1])
    same_label = own[2] == other[2] and bool(own[2])
    if same_label:
        return 0.8
    if mine.action is None or theirs.action is None:
        return 0.0
    near = _nearness(mine.action, mine.size, theirs.action, theirs.size)
    if own == other:  # neither id nor label: the place says which it is
        return near
    # Rows of a list share their id: the place tells them apart, and a list in another order by the label.
    return 0.5 * same_id + 0.3 * near if same_id else 0.5 * near


def _nearness(own: Action, own_size: Size, other: Action, other_size: Size) -> float:
    """How near the touches of two actions are, and for swipes how alike their directions; 1 without any."""
    mine, theirs = _points(own, own_size), _points(other, other_size)
    if not mine or len(mine) != len(theirs):
        return float(mine == theirs)
    if len(mine) == 2:
        mine, theirs = [_difference(mine)], [_difference(theirs)]
    distance = math.dist(mine[0], theirs[0]) / math.sqrt(2)
    return max(0.0, 1 - distance / _FAR)


def _points(action: Action, size: Size) -> list[tuple[float, float]]:
    width, height = max(1, size.width), max(1, size.height)
    names = [("x", "y")] if hasattr(action, "x") else [("x1", "y1"), ("x2", "y2")]
    return [(getattr(action, x) / width, getattr(action, y) / height) for x, y in names if hasattr(action, x)]


def _difference(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    (x1, y1), (x2, y2) = points
    return x2 - x1, y2 - y1
