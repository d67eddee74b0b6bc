"""How alike actions are, for every pair of steps: by kind, target and text, 0 to 1.

What is compared of a step is a number in a column, so that a pair costs no Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from collector.model.action import Action, Complete, Key, OpenApp, Scroll, Type
from collector.model.geometry import Size
from collector.model.trajectory import Target
from collector.replay.alignment.step_signature import StepSignature

Codes = NDArray[np.int64]
Matrix = NDArray[np.float32]
Points = NDArray[np.float64]
_FAR = 0.25
"""Two touches so far apart, as a share of the screen's diagonal, have nothing in common."""
_NONE = -1


class Numbering:
    """Equal values get the same number, from 0; empty ones get none."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def number(self, value: Hashable) -> int:
        """The number of a value; -1 for None and for an empty text."""
        return _NONE if value is None or value == "" else self._numbers.setdefault(value, len(self._numbers))


@dataclass(frozen=True, slots=True, eq=False)
class ActionColumns:
    """What is compared of the actions of a trajectory, a row a step. Numbers are of a common numbering."""

    kind: Codes
    """-1 without an action."""
    completes: NDArray[np.bool_]
    value: Codes
    """Of actions that are equal or not: which; -1 for actions that have a place."""
    types: NDArray[np.bool_]
    target: Codes
    """Class, id and label of the target; -1 without one."""
    is_named: NDArray[np.bool_]
    target_id: Codes
    label: Codes
    points: Points
    """Where it touches, or how far a swipe goes, as shares of the screen; 0 without any."""
    touches: Codes
    """0 without a point, 1 for a touch, 2 for a swipe."""

    def __len__(self) -> int:
        return len(self.kind)

    def rows(self, chosen: slice | Codes) -> ActionColumns:
        """The columns of the ``chosen`` steps alone."""
        return ActionColumns(
            self.kind[chosen], self.completes[chosen], self.value[chosen], self.types[chosen],
            self.target[chosen], self.is_named[chosen], self.target_id[chosen], self.label[chosen],
            self.points[chosen], self.touches[chosen],
        )  # fmt: skip


def action_columns(steps: Sequence[StepSignature], numbering: Numbering) -> ActionColumns:
    """Read the actions of a trajectory; those of all that are compared use one numbering."""
    names = [_names(step.target) if step.target is not None else None for step in steps]
    points = [_points(step.action, step.size) for step in steps]
    return ActionColumns(
        np.array([numbering.number(_kind(step.action)) for step in steps], np.int64),
        np.array([isinstance(step.action, Complete) for step in steps], bool),
        np.array([numbering.number(_value(step.action)) for step in steps], np.int64),
        np.array([isinstance(step.action, Type) for step in steps], bool),
        np.array([numbering.number(name) for name in names], np.int64),
        np.array([name is not None and any(name[1:]) for name in names], bool),
        np.array([numbering.number(name[1] if name else None) for name in names], np.int64),
        np.array([numbering.number(name[2] if name else None) for name in names], np.int64),
        np.array([_extent(each) for each in points], np.float64).reshape(-1, 2),
        np.array([len(each) for each in points], np.int64),
    )


def action_similarity(first: ActionColumns, second: ActionColumns) -> Matrix:
    """The similarity of every pair."""
    same_kind = first.kind[:, None] == second.kind[None, :]
    near = _nearness(first, second)
    has_targets = (first.target >= 0)[:, None] & (second.target >= 0)[None, :]
    alike = 0.3 + 0.7 * np.where(has_targets, _targets(first, second, near), near)
    has_value = (first.value >= 0)[:, None] & (second.value >= 0)[None, :]
    least = np.where(first.types, 0.6, 0.4)[:, None]
    alike = np.where(has_value, np.where(first.value[:, None] == second.value[None, :], 1.0, least), alike)
    # The last screen has no action; agents end there with one.
    ends = ((first.kind < 0)[:, None] & (second.completes | (second.kind < 0))[None, :]) | (
        first.completes[:, None] & (second.kind < 0)[None, :]
    )
    return np.where(ends, 1.0, np.where(same_kind, alike, 0.0)).astype(np.float32)


def _targets(first: ActionColumns, second: ActionColumns, near: Points) -> Points:
    """Targets by id and label; where neither has one, by place."""
    same = first.target[:, None] == second.target[None, :]
    same_id = (first.target_id[:, None] == second.target_id[None, :]) & (first.target_id >= 0)[:, None]
    same_label = (first.label[:, None] == second.label[None, :]) & (first.label >= 0)[:, None]
    # Rows of a list share their id: the place tells them apart, and a list in another order by the label.
    alike = np.where(same_id, 0.5 + 0.3 * near, 0.5 * near)
    alike = np.where(same, near, alike)  # neither id nor label: the place says which it is
    alike = np.where(same_label, 0.8, alike)
    return np.where(same & first.is_named[:, None], 1.0, alike)


def _nearness(first: ActionColumns, second: ActionColumns) -> Points:
    """How near the touches of two actions are, and for swipes how alike their directions; 1 without any."""
    away = np.hypot(
        first.points[:, 0][:, None] - second.points[:, 0][None, :],
        first.points[:, 1][:, None] - second.points[:, 1][None, :],
    )
    near = np.maximum(0.0, 1 - away / np.sqrt(2) / _FAR)
    return np.where(first.touches[:, None] == second.touches[None, :], near, 0.0)


def _kind(action: Action | None) -> tuple[str] | None:
    return None if action is None else (action.kind,)


def _value(action: Action | None) -> Hashable:
    if isinstance(action, Type):
        return action.kind, action.text.casefold()
    return action if isinstance(action, Key | OpenApp | Scroll) else None


def _names(target: Target) -> tuple[str, str, str]:
    get = target.attributes.get
    label = (get("text") or get("content-desc") or "").casefold()
    return get("class", ""), get("resource-id", "").rpartition("/")[2], " ".join(label.split())


def _points(action: Action | None, size: Size) -> list[tuple[float, float]]:
    width, height = max(1, size.width), max(1, size.height)
    names = [("x", "y")] if hasattr(action, "x") else [("x1", "y1"), ("x2", "y2")]
    return [(getattr(action, x) / width, getattr(action, y) / height) for x, y in names if hasattr(action, x)]


def _extent(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """The point of a touch, or how far a swipe goes; (0, 0) without any."""
    if len(points) == 2:
        (x1, y1), (x2, y2) = points
        return x2 - x1, y2 - y1
    return points[0] if points else (0.0, 0.0)
