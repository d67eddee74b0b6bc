"""What the card of an essential state shows. No Qt."""

from __future__ import annotations

from dataclasses import dataclass

from studio.widgets.state_graph.layout import GraphState


@dataclass(frozen=True, slots=True)
class StateCard:
    """One card; ``name`` is short, as in ``M3``, and ``note`` stands behind it."""

    id: str
    name: str
    title: str
    icon: str
    tone: str = ""
    """Colour of the border: empty, ``warn`` or ``err``."""
    note: str = ""
    tip: str = ""
    is_optional: bool = False
    step: int | None = None
    """The slot of the film strip that reaches it, from 0."""
    after: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()

    def placed_as(self, width: int) -> GraphState:
        """The card as the layout needs it."""
        return GraphState(self.id, width, self.step, self.after, self.alternatives)
