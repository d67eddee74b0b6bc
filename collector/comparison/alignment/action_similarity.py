"""How alike actions are, for every pair of steps: by kind, target and text, 0 to 1.

What is compared of a step is a number in a column, so that a pair costs no Python.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from collector.comparison.alignment.step_signature import StepSignature
from collector.model.action import Action, Complete, Key, OpenApp, Scroll, Type
from collector.model.geometry import Size
from collector.model.trajectory import Target

Codes = NDArray[np.int64]
Matrix = NDArray[np.float32]
Points = NDArray[np.float64]
Flags = NDArray[np.bool_]
_FAR = 0.25
"""Two touches so far apart, as a share of the screen's diagonal, have nothing in common."""
_OTHER_ROW = 0.5
"""A node of the same kind at another place of a list is at most so much the same target."""
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
    has_target: NDArray[np.bool_]
    target_class: Codes
    target_id: Codes
    label: Codes
    """The words of the target, or of what is inside of it; -1 without any."""
    is_inside: NDArray[np.bool_]
    """Whether the label is of what is inside."""
    is_shared: NDArray[np.bool_]
    """Whether others of its like say the same."""
    counted_from: Codes
    """From which node the place is counted; -1 when it is not known which of its like the target is."""
    place: Codes
    points: Points
    """Where it touches, or how far a swipe goes, as shares of the screen; 0 without any."""
    touches: Codes
    """0 without a point, 1 for a touch, 2 for a swipe."""

    def __len__(self) -> int:
        return len(self.kind)

    def rows(self, chosen: slice | Codes) -> ActionColumns:
        """The columns of the ``chosen`` steps alone."""
        return ActionColumns(*(getattr(self, column.name)[chosen] for column in fields(self)))


def action_columns(steps: Sequence[StepSignature], numbering: Numbering) -> ActionColumns:
    """Read the actions of a trajectory; those of all that are compared use one numbering."""
    names = [_names(step.target) if step.target is not None else None for step in steps]
    touched = [step.touched for step in steps]
    points = [_points(step.action, step.size) for step in steps]
    labels = [
        node.label if node is not None else name[2] if name is not None else ""
        for name, node in zip(names, touched, strict=True)
    ]
    return ActionColumns(
        np.array([numbering.number(_kind(step.action)) for step in steps], np.int64),
        np.array([isinstance(step.action, Complete) for step in steps], bool),
        np.array([numbering.number(_value(step.action)) for step in steps], np.int64),
        np.array([isinstance(step.action, Type) for step in steps], bool),
        np.array([name is not None for name in names], bool),
        np.array([numbering.number(name[0] if name else None) for name in names], np.int64),
        np.array([numbering.number(name[1] if name else None) for name in names], np.int64),
        np.array([numbering.number(label) for label in labels], np.int64),
        np.array([node is not None and node.is_inside for node in touched], bool),
        np.array([node is not None and node.is_shared for node in touched], bool),
        np.array([numbering.number(node and node.counted_from) for node in touched], np.int64),
        np.array([numbering.number(node and node.place) for node in touched], np.int64),
        np.array([_extent(each) for each in points], np.float64).reshape(-1, 2),
        np.array([len(each) for each in points], np.int64),
    )


def action_similarity(first: ActionColumns, second: ActionColumns, same_language: float = 1.0) -> Matrix:
    """The similarity of every pair. ``same_language``: how much what targets say counts, 0 to 1."""
    same_kind = first.kind[:, None] == second.kind[None, :]
    near = _nearness(first, second)
    has_targets = first.has_target[:, None] & second.has_target[None, :]
    targets = _targets(first, second, near, same_language)
    alike = 0.3 + 0.7 * np.where(has_targets, targets, near)
    has_value = (first.value >= 0)[:, None] & (second.value >= 0)[None, :]
    least = np.where(first.types, 0.6, 0.4)[:, None]
    alike = np.where(has_value, np.where(first.value[:, None] == second.value[None, :], 1.0, least), alike)
    # The last screen has no action; agents end there with one.
    ends = ((first.kind < 0)[:, None] & (second.completes | (second.kind < 0))[None, :]) | (
        first.completes[:, None] & (second.kind < 0)[None, :]
    )
    return np.where(ends, 1.0, np.where(same_kind, alike, 0.0)).astype(np.float32)


def _targets(first: ActionColumns, second: ActionColumns, near: Points, same_language: float) -> Points:
    """Targets by what they say, by which of their like they are, and where they are on the screen."""
    unsaid = _unsaid_targets(first, second, near)
    said = _said_targets(first, second, near, unsaid)
    return same_language * said + (1 - same_language) * unsaid


def _unsaid_targets(first: ActionColumns, second: ActionColumns, near: Points) -> Points:
    """By id and place, whatever they say: as where both say nothing, or are in two languages."""
    same_class, same_id, no_id = _class_and_id(first, second)
    same_place, other_place = _places(first, second)
    other_row = _OTHER_ROW * near
    with_id = np.where(same_class, 1.0, 0.5 + 0.3 * near)
    with_id = np.where(other_place, other_row, with_id)
    # Neither id nor label: where it is says which it is.
    without_id = np.where(same_place, 0.6 + 0.4 * near, np.where(other_place, other_row, near))
    return np.where(same_id, with_id, np.where(no_id & same_class, without_id, 0.5 * near))


def _said_targets(first: ActionColumns, second: ActionColumns, near: Points, unsaid: Points) -> Points:
    """By what they say, where both say something."""
    same_class, same_id, no_id = _class_and_id(first, second)
    _same_place, other_place = _places(first, second)
    other_row = _OTHER_ROW * near
    says = (first.label >= 0)[:, None] & (second.label >= 0)[None, :]
    # A row may show something else another day: at its place it is still the same row.
    is_row = same_id | (no_id & same_class & first.is_inside[:, None] & second.is_inside[None, :])
    row = np.where(other_place, other_row, 0.5 + 0.3 * near)
    # A list in another order is known by what its rows say, but not by what each of them says.
    is_shared = first.is_shared[:, None] | second.is_shared[None, :]
    same = np.where(same_class & (same_id | no_id), 1.0, 0.8)
    same = np.where(is_shared & other_place, other_row, same)
    said = np.where(first.label[:, None] == second.label[None, :], same, np.where(is_row, row, 0.5 * near))
    return np.where(says, said, unsaid)


def _class_and_id(first: ActionColumns, second: ActionColumns) -> tuple[Flags, Flags, Flags]:
    """Whether the classes of two targets are equal, whether their ids are, and whether neither has an id."""
    has_id, has_other = (first.target_id >= 0)[:, None], (second.target_id >= 0)[None, :]
    return (
        first.target_class[:, None] == second.target_class[None, :],
        (first.target_id[:, None] == second.target_id[None, :]) & has_id,
        ~has_id & ~has_other,
    )


def _places(first: ActionColumns, second: ActionColumns) -> tuple[Flags, Flags]:
    """Whether two targets are known to be the same of their like, and whether they are known not to be."""
    known = (first.counted_from >= 0)[:, None] & (first.counted_from[:, None] == second.counted_from[None, :])
    same = first.place[:, None] == second.place[None, :]
    return known & same, known & ~same


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
