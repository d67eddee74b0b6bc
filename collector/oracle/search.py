"""Search an app for moves after which a part of a target holds: the most promising moment first."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from collector.oracle.app_moment import AppMoment, AppWorld
from collector.oracle.estimate import DistanceEstimate
from collector.oracle.moves import Move
from collector.oracle.part_goal import PartGoal
from collector.virtual.ui import widgets as w

_GREED = 3.0
"""What a step nearer to the goal is worth, in moves."""


@dataclass(frozen=True, slots=True)
class SearchLimit:
    """Where a search gives up."""

    states: int = 20_000
    """Moments that are looked at, of each part."""
    shortest: int = 0
    """Moments among which a shorter way is looked for, of each app; 0 for none."""


@dataclass(frozen=True, slots=True, eq=False)
class _Node:
    moment: AppMoment
    moves: int
    move: Move | None = None
    before: _Node | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search came to."""

    moves: tuple[Move, ...]
    moment: AppMoment | None
    """The app after them; None when no moves were found."""
    states: int
    """Moments that were looked at."""
    exhausted: bool = False
    """Whether there is nothing else that can be done; else the limit was reached."""


def search(world: AppWorld, goal: PartGoal, start: AppMoment, limit: SearchLimit) -> SearchResult:
    """Moves from ``start`` after which the target up to this part is reached."""
    estimate = DistanceEstimate(goal)
    counter, states = itertools.count(), 1
    seen: set[Hashable] = {start.key}
    distance = estimate.distance(start)
    heap: list[tuple[float, int, float, _Node]] = [(0.0, next(counter), distance, _Node(start, 0))]
    while heap:
        _priority, _number, distance, node = heapq.heappop(heap)
        if not distance:
            return SearchResult(_path(node), node.moment, states)
        for move in world.moves(node.moment, lambda field: texts_for(goal, field)):
            after = world.after(node.moment, move)
            if after is None or (key := after.key) in seen:
                continue
            seen.add(key)
            states += 1
            left = estimate.distance(after)
            child = _Node(after, node.moves + 1, move, node)
            if not left:
                return SearchResult(_path(child), after, states)
            priority = child.moves + _GREED * left - estimate.offer(move)
            heapq.heappush(heap, (priority, next(counter), left, child))
        if states >= limit.states:
            return SearchResult((), None, states)
    return SearchResult((), None, states, exhausted=True)


def texts_for(goal: PartGoal, field: w.TextField) -> Iterable[str]:
    """The texts to try in a field: its own, where its name is that of a wanted field."""
    key = field.on_change.key if field.on_change is not None else None
    if isinstance(key, str) and isinstance(value := goal.wanted.get(key), str):
        return (value,)
    if isinstance(key, str) and goal.collection.field(key) is not None:
        return ()
    if field.kind == "multiline":
        return goal.texts
    return tuple(text for text in goal.texts if "\n" not in text)


def _path(node: _Node | None) -> tuple[Move, ...]:
    moves: list[Move] = []
    while node is not None and node.move is not None:
        moves.append(node.move)
        node = node.before
    return tuple(reversed(moves))
