"""Look for the fewest actions to a target, and say how many are needed at least."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass

from collector.model.app_data.collections import DATE, TIME
from collector.oracle.app_moment import AppMoment, AppWorld
from collector.oracle.frozen_values import frozen
from collector.oracle.moves import TEXT, Move
from collector.oracle.part_goal import PartGoal
from collector.oracle.search import texts_for
from collector.virtual.ui import widgets as w
from collector.virtual.ui.widgets import Screen


@dataclass(frozen=True, slots=True)
class ShortestWay:
    """What an exhaustive search came to."""

    at_least: int
    """No sequence with fewer actions reaches the target."""
    moves: tuple[Move, ...] | None
    """A sequence with so many actions; None when the limit was reached before one was found."""
    states: int
    """Moments that were looked at."""


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    moment: AppMoment
    cost: int
    focused: str | None
    """Id of the field with the focus; None for the one that its screen focuses."""
    move: Move | None = None
    before: _Place | None = None


def shortest_way(
    world: AppWorld, goals: Sequence[PartGoal], start: AppMoment, most_states: int
) -> ShortestWay:
    """Search all sequences of moves for one with the fewest actions after which all ``goals`` hold (A*).

    A text in a field without the focus takes two actions, every other move at least one.
    """
    typed, states, counter = _TypedTexts(goals, start), 1, itertools.count()
    known: dict[Hashable, int] = {(start.key, None): 0}
    heap = [(typed.left(start), next(counter), _Place(start, 0, None))]
    while heap:
        estimate, _number, place = heapq.heappop(heap)
        if goals[-1].outcome(place.moment).reward:
            return ShortestWay(place.cost, _path(place), states)
        if states >= most_states:
            return ShortestWay(estimate, None, states)
        if known[place.moment.key, place.focused] < place.cost:
            continue
        for child in _after(world, goals, place):
            key = (child.moment.key, child.focused)
            if known.get(key, child.cost + 1) > child.cost:
                known[key] = child.cost
                states += 1
                heapq.heappush(heap, (child.cost + typed.left(child.moment), next(counter), child))
    return ShortestWay(0, None, states)


def _after(world: AppWorld, goals: Sequence[PartGoal], place: _Place) -> Iterator[_Place]:
    """Each moment that one move leads to."""
    focused = _focused(world.screen(place.moment), place.focused)
    for move in world.moves(place.moment, lambda field: _texts(goals, field)):
        moment = world.after(place.moment, move)
        if moment is None:
            continue
        kept: str | None = None
        if moment.pages == place.moment.pages:
            kept = move.id if move.kind == TEXT else focused
        cost = place.cost + (2 if move.kind == TEXT and move.id != focused else 1)
        yield _Place(moment, cost, kept, move, place)


def _focused(screen: Screen, touched: str | None) -> str:
    """Id of the field with the focus: that which was touched, or what the window in front of it focuses."""
    parts = [screen.content, screen.app_bar]
    if screen.sheet is not None:
        parts = [screen.sheet.body]
    if screen.dialog is not None:
        parts = [screen.dialog.body]
    fields = [field for part in parts for field in _fields(part)]
    if touched and any(field.id == touched for field in fields):
        return touched
    return next((field.id for field in fields if field.focused), "")


def _fields(widget: w.Widget | None) -> Iterator[w.TextField]:
    if isinstance(widget, w.TextField):
        yield widget
    for name in ("leading", "child", "middle", "trailing"):
        part = getattr(widget, name, None)
        if isinstance(part, w.Widget):
            yield from _fields(part)
    for name in ("children", "actions"):
        for part in getattr(widget, name, ()):
            yield from _fields(part)


def _texts(goals: Sequence[PartGoal], field: w.TextField) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text for goal in goals for text in texts_for(goal, field)))


class _TypedTexts:
    """The texts that only a person can bring into an app: each takes an action, and one ends it all."""

    def __init__(self, goals: Sequence[PartGoal], start: AppMoment) -> None:
        there = str(frozen(start.state)).casefold()
        self._goals = goals
        self._texts = tuple(
            dict.fromkeys(text for goal in goals for text in _new_texts(goal) if text.casefold() not in there)
        )

    def left(self, moment: AppMoment) -> int:
        """Actions that are needed at least from a moment on."""
        if self._goals[-1].outcome(moment).reward:
            return 0
        there = str(frozen(moment.state)) if self._texts else ""
        return 1 + sum(repr(text)[1:-1] not in there for text in self._texts)


def _new_texts(goal: PartGoal) -> Iterator[str]:
    """The texts of a new record that are free, so that no button of the app enters them."""
    for name, value in goal.wanted.items():
        spec = goal.collection.field(name)
        is_free = spec is not None and spec.type not in (DATE, TIME) and name in _FREE
        if is_free and isinstance(value, str) and value.strip():
            yield value


_FREE = frozenset({"title", "note", "notes", "place", "link", "text"})
"""Fields whose values nobody can choose from a list."""


def _path(place: _Place | None) -> tuple[Move, ...]:
    moves: list[Move] = []
    while place is not None and place.move is not None:
        moves.append(place.move)
        place = place.before
    return tuple(reversed(moves))
