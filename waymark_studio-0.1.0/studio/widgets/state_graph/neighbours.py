"""Which card an arrow key leads to. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

from studio.widgets.state_graph.layout import START, GraphLayout, PlacedCard


def neighbour(graph: GraphLayout, ids: Sequence[str], selected: str, across: int, down: int) -> str:
    """The card beside the selected one: left and right along the lines, up and down between lanes.

    A card without a line in that direction leads to the nearest card there. Without a selection it is the
    first card of ``ids``; empty when there is none.
    """
    here = graph.cards.get(selected)
    if here is None or selected == START:
        return min(ids, key=lambda name: (graph.cards[name].left, graph.cards[name].lane), default="")
    others = [graph.cards[name] for name in ids if name != selected]
    if across:
        return _across(graph, here, others, across)
    beyond = [card for card in others if (card.lane - here.lane) * down > 0]
    nearest = min(
        beyond, key=lambda card: (abs(card.lane - here.lane), _distance(card, here), card.id), default=None
    )
    return nearest.id if nearest is not None else ""


def _across(graph: GraphLayout, here: PlacedCard, others: Sequence[PlacedCard], way: int) -> str:
    pairs = graph.edges
    if way > 0:
        joined = [card for card in others if (here.id, card.id) in pairs]
    else:
        joined = [card for card in others if (card.id, here.id) in pairs]
    beyond = joined or [card for card in others if (card.left - here.left) * way > 0]
    nearest = min(
        beyond,
        key=lambda card: (_distance(card, here) + 40 * abs(card.lane - here.lane), card.lane, card.id),
        default=None,
    )
    return nearest.id if nearest is not None else ""


def _distance(card: PlacedCard, other: PlacedCard) -> int:
    return abs(card.left + card.right - other.left - other.right) // 2
