"""Lay the cards of essential states out in lanes over the steps that reach them. Pure, without Qt.

Lengths are pixels at zoom 1. The first slot of the film strip begins at 0, and the first lane at 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from graphlib import TopologicalSorter
from itertools import pairwise

START = ""
"""Id of the card that every state without a state before it follows."""
SLOT, CARD_HEIGHT, LANE = 74, 44, 62
START_WIDTH = 58
GAP = 28
"""Free space between two cards of a lane; lines turn in its middle."""
_SHIFT = 40
"""How far the left edge of a card is from that of a card before it, at least."""
_LANE_COST, _NEW_LANE_COST, _CROSSING_COST, _DETOUR_COST = 14, 10, 90, 60
_OVERFLOW_COST = 2
"""A pixel behind the end of the film strip counts so much more."""
_INSET = 14
"""A line to the film strip leaves a card at least so far from its corners."""

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GraphState:
    """A state to place: ``step`` is the slot that reaches it, from 0, or None."""

    id: str
    width: int
    step: int | None = None
    after: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """Where a card stands."""

    id: str
    left: int
    lane: int
    width: int

    @property
    def right(self) -> int:
        return self.left + self.width

    @property
    def top(self) -> int:
        return self.lane * LANE

    @property
    def bottom(self) -> int:
        return self.top + CARD_HEIGHT

    @property
    def middle(self) -> int:
        return self.top + CARD_HEIGHT // 2


@dataclass(frozen=True, slots=True)
class GraphLayout:
    """Cards by id (the start card under :data:`START`), and the lines between them."""

    cards: Mapping[str, PlacedCard]
    edges: Mapping[tuple[str, str], tuple[Point, ...]]
    """By the ids of a card and the one after it: the corners of an orthogonal line from left to right."""
    links: Mapping[str, tuple[Point, ...]]
    """By id the line from a card down to the slot that reaches it; its end is at the height of the lanes."""
    alternatives: Mapping[tuple[str, str], tuple[Point, ...]]
    """By the ids of a state and of another that counts as it: a line between them."""
    lanes: int
    width: int

    @property
    def height(self) -> int:
        """Height of all lanes."""
        return self.lanes * LANE


def lay_out(states: Sequence[GraphState], slots: int = 0) -> GraphLayout:
    """Place the states over a film strip of ``slots`` slots. The same states give the same layout.

    A name in ``after`` that is not among the states is left out, and so is one that would close a circle.
    """
    before = _without_circles(states)
    cards = _placed(states, before, slots * SLOT)
    lowest = min(card.lane for card in cards.values())
    cards = {
        card_id: PlacedCard(card.id, card.left, card.lane - lowest, card.width)
        for card_id, card in cards.items()
    }
    lanes = max(card.lane for card in cards.values()) + 1
    rails = _Rails(cards.values())
    edges = {
        (first, state.id): rails.route(cards[first], cards[state.id])
        for state in states
        for first in before[state.id] or (START,)
    }
    return GraphLayout(
        cards,
        edges,
        {
            state.id: _link(cards[state.id], state.step, lanes * LANE)
            for state in states
            if state.step is not None
        },
        {
            (state.id, other): _between(cards[state.id], cards[other])
            for state in states
            for other in state.alternatives
            if other in cards and other != state.id
        },
        lanes,
        max([slots * SLOT, *(card.right for card in cards.values())]),
    )


def closes_circle(states: Iterable[GraphState], first: str, then: str) -> bool:
    """Whether ``first`` comes after ``then`` already, so that ``then`` cannot come after ``first``."""
    before = {state.id: state.after for state in states}
    waiting, seen = [first], set()
    while waiting:
        name = waiting.pop()
        if name == then:
            return True
        if name not in seen:
            seen.add(name)
            waiting.extend(before.get(name, ()))
    return False


# -- placing -----------------------------------------------------------------


def _without_circles(states: Sequence[GraphState]) -> dict[str, tuple[str, ...]]:
    """By id the states that come before it, without unknown ones and without circles."""
    kept: dict[str, tuple[str, ...]] = {state.id: () for state in states}
    for state in states:
        for name in dict.fromkeys(state.after):
            known = [GraphState(key, 0, after=names) for key, names in kept.items()]
            if name in kept and not closes_circle(known, name, state.id):
                kept[state.id] = (*kept[state.id], name)
    return kept


def _placed(
    states: Sequence[GraphState], before: Mapping[str, tuple[str, ...]], width: int
) -> dict[str, PlacedCard]:
    by_id = {state.id: state for state in states}
    place = {state.id: number for number, state in enumerate(states)}
    cards: dict[str, PlacedCard] = {START: PlacedCard(START, 8, 0, START_WIDTH)}
    board = _Board(cards, width)
    sorter = TopologicalSorter(before)
    sorter.prepare()
    ready: list[str] = []
    while sorter.is_active() or ready:
        ready.extend(sorter.get_ready())
        ready.sort(key=lambda name: (_wish(by_id[name], before[name], cards, width), place[name]))
        name = ready.pop(0)
        state = by_id[name]
        parents = [cards[parent] for parent in before[name] or (START,)]
        beside = [cards[other] for other in state.alternatives if other in cards]
        cards[name] = board.best(state, _wish(state, before[name], cards, width), parents, beside)
        sorter.done(name)
    return cards


def _wish(state: GraphState, before: Sequence[str], cards: Mapping[str, PlacedCard], width: int) -> int:
    """The left edge a card would like: over its step, within the ``width`` of the film strip.

    Without a step it is close behind what the card comes after.
    """
    if state.step is not None:
        return max(0, min(state.step * SLOT + SLOT // 2 - state.width // 2, width - state.width))
    return max([cards[START].right, *(cards[name].right for name in before)]) + GAP


class _Board:
    """The cards that stand already."""

    def __init__(self, cards: Mapping[str, PlacedCard], width: int) -> None:
        """``width`` is that of the film strip."""
        self._cards, self._width = cards, width
        self._links: list[tuple[int, int]] = []
        """Column and lane of the cards that have a line to the film strip."""

    def best(
        self, state: GraphState, wish: int, parents: Sequence[PlacedCard], beside: Sequence[PlacedCard]
    ) -> PlacedCard:
        """The cheapest free place of a card right of ``parents``, if possible near ``beside``."""
        least = max(parent.left for parent in parents) + _SHIFT
        least = max([least, *(card.right + GAP for card in parents if card.id == START)])
        lanes = [card.lane for card in self._cards.values()]
        near = beside or parents
        wanted = sum(card.lane for card in near) / len(near)
        options = []
        for lane in range(min(lanes) - 1, max(lanes) + 2):
            left = self._free(lane, max(wish, least), least, state.width)
            if any(card.lane == lane and card.left == left for card in self._cards.values()):
                continue
            cost = (
                abs(left - wish)
                + _OVERFLOW_COST * max(0, left + state.width - self._width)
                + _LANE_COST * abs(lane - wanted) * (2 if beside else 1)
            )
            is_new = not min(lanes) <= lane <= max(lanes)
            cost += _NEW_LANE_COST * (max(lanes) - min(lanes) + 1) ** 2 if is_new else 0
            cost += _CROSSING_COST * self._crossings(lane, left, state)
            cost += _DETOUR_COST * sum(self._is_behind_another(card, lane, left) for card in parents)
            options.append((cost, abs(lane), -lane, left))
        _cost, _distance, above, left = min(options)
        lane = -above
        if state.step is not None:
            self._links.append((state.step * SLOT + SLOT // 2, lane))
        return PlacedCard(state.id, left, lane, state.width)

    def _is_behind_another(self, card: PlacedCard, lane: int, left: int) -> bool:
        """Whether a place is in the lane of ``card``, with a third card between them."""
        between = (other for other in self._cards.values() if other.lane == lane)
        return card.lane == lane and any(card.left < other.left < left for other in between)

    def _free(self, lane: int, wish: int, least: int, width: int) -> int:
        """The left edge nearest to ``wish``, not below ``least``, at which the lane is free."""
        taken = sorted(
            (card.left - GAP, card.right + GAP) for card in self._cards.values() if card.lane == lane
        )
        places = {wish, *(end for _start, end in taken), *(start - width for start, _end in taken)}
        free = [
            left
            for left in places
            if left >= least and all(left + width <= start or left >= end for start, end in taken)
        ]
        return min(free, key=lambda left: (abs(left - wish), left))

    def _crossings(self, lane: int, left: int, state: GraphState) -> int:
        """How many lines to the film strip pass through the card, and how many cards its own passes."""
        over = sum(left <= column <= left + state.width and above < lane for column, above in self._links)
        if state.step is None:
            return over
        column = state.step * SLOT + SLOT // 2
        below = (card for card in self._cards.values() if card.lane > lane)
        return over + sum(card.left <= column <= card.right for card in below)


# -- lines -------------------------------------------------------------------


class _Rails:
    """Finds lines between cards that pass through as few other cards as possible."""

    def __init__(self, cards: Iterable[PlacedCard]) -> None:
        self._cards = tuple(cards)

    def route(self, first: PlacedCard, then: PlacedCard) -> tuple[Point, ...]:
        """The corners of a line from ``first`` to the left edge of ``then``; x never goes back."""
        ways = sorted((_without_repeats(way) for way in self._ways(first, then)), key=len)
        best, fewest = ways[0], len(self._cards) + 1
        for way in ways:
            hits = self._hits(way, first, then)
            if hits < fewest:
                best, fewest = way, hits
            if not hits:
                break
        return best

    def _ways(self, first: PlacedCard, then: PlacedCard) -> Iterable[tuple[Point, ...]]:
        end = (then.left, then.middle)
        turn = then.left - GAP // 2
        if first.right + GAP <= then.left:
            out = (first.right, first.middle)
            for column in dict.fromkeys((turn, first.right + GAP // 2, *self._columns(first.right, turn))):
                yield (out, (column, first.middle), (column, then.middle), end)
            for gutter in self._gutters(first, then):
                start = first.right + GAP // 2
                yield (out, (start, first.middle), (start, gutter), (turn, gutter), (turn, then.middle), end)
        is_below = then.lane > first.lane
        edge = first.bottom if is_below else first.top
        for column in (max(first.left + _INSET, min(first.right - _INSET, turn)), first.left + _INSET):
            if column <= then.left:
                yield ((column, edge), (column, then.middle), end)
                for gutter in self._gutters(first, then):
                    yield (
                        (column, edge), (column, gutter), (max(column, turn), gutter),
                        (max(column, turn), then.middle), end,
                    )  # fmt: skip

    def _columns(self, low: int, high: int) -> Iterable[int]:
        """The middles of the gaps beside cards between two columns."""
        for card in self._cards:
            for column in (card.left - GAP // 2, card.right + GAP // 2):
                if low < column < high:
                    yield column

    @staticmethod
    def _gutters(first: PlacedCard, then: PlacedCard) -> Iterable[int]:
        """Heights between lanes, beside the lane of either card."""
        half = (LANE - CARD_HEIGHT) // 2
        for card in (then, first):
            yield card.top - half
            yield card.bottom + half

    def _hits(self, way: tuple[Point, ...], first: PlacedCard, then: PlacedCard) -> int:
        """How many cards, but for its own, a line passes through."""
        left, right = way[0][0], way[-1][0]
        hits = 0
        for card in self._cards:
            if card.left <= right + 1 and card.right >= left - 1:
                hits += _passes(way, card, inside=card.id in (first.id, then.id))
        return hits


def _passes(way: Sequence[Point], card: PlacedCard, *, inside: bool = False) -> bool:
    """Whether a line touches a card; with ``inside`` its border does not count."""
    rim = 0 if inside else -1
    for (x1, y1), (x2, y2) in pairwise(way):
        if (
            max(x1, x2) > card.left + rim and min(x1, x2) < card.right - rim
            and max(y1, y2) > card.top + rim and min(y1, y2) < card.bottom - rim
        ):  # fmt: skip
            return True
    return False


def _without_repeats(way: Sequence[Point]) -> tuple[Point, ...]:
    """A line without corners that are none."""
    kept: list[Point] = []
    for point in way:
        if kept and kept[-1] == point:
            continue
        while len(kept) > 1 and (
            kept[-2][0] == kept[-1][0] == point[0] or kept[-2][1] == kept[-1][1] == point[1]
        ):
            kept.pop()
        kept.append(point)
    return tuple(kept)


def _link(card: PlacedCard, step: int, height: int) -> tuple[Point, ...]:
    """The line from a card to its slot: straight down where the slot lies under the card."""
    column = step * SLOT + SLOT // 2
    leave = max(card.left + _INSET, min(card.right - _INSET, column))
    gutter = card.bottom + (LANE - CARD_HEIGHT) // 2
    return _without_repeats(((leave, card.bottom), (leave, gutter), (column, gutter), (column, height)))


def _between(first: PlacedCard, other: PlacedCard) -> tuple[Point, ...]:
    """A line between two cards in any direction: down where they overlap, else from side to side."""
    upper, lower = sorted((first, other), key=lambda card: (card.lane, card.left))
    low, high = max(upper.left, lower.left), min(upper.right, lower.right)
    if upper.lane != lower.lane and low + 2 * _INSET <= high:
        column = high - _INSET
        return ((column, upper.bottom), (column, lower.top))
    left, right = sorted((first, other), key=lambda card: card.left)
    column = (left.right + right.left) // 2
    return _without_repeats(
        ((left.right, left.middle), (column, left.middle), (column, right.middle), (right.left, right.middle))
    )
