"""A table of event handlers, so that ``update`` of an app is one small function an event."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from collector.virtual.ui.effects import Change
from collector.virtual.ui.events import Event

S = TypeVar("S")


class Handlers(Generic[S]):
    """Event handlers of an app, by event name."""

    def __init__(self) -> None:
        self._by_name: dict[str, Callable[[S, Event], S | Change[S]]] = {}

    def on(
        self, name: str
    ) -> Callable[[Callable[[S, Event], S | Change[S]]], Callable[[S, Event], S | Change[S]]]:
        """Register the decorated function for events of this name."""

        def register(handler: Callable[[S, Event], S | Change[S]]) -> Callable[[S, Event], S | Change[S]]:
            self._by_name[name] = handler
            return handler

        return register

    def update(self, state: S, event: Event) -> S | Change[S]:
        """The state after an event; an event without a handler changes nothing."""
        handler = self._by_name.get(event.name)
        return handler(state, event) if handler else state
