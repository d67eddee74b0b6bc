"""What ``update`` of an app is made of: a table of event handlers, its own pages, and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from collector.virtual.ui.content import texts_of
from collector.virtual.ui.effects import Change, Component, Intent, StartActivity
from collector.virtual.ui.events import Event

S = TypeVar("S")


class _Localized(Protocol):
    """A state of an app, which has a language."""

    @property
    def locale(self) -> str: ...


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


def page_of(package: str, activity: str, /, **extras: object) -> StartActivity:
    """Open a page of an app, as its own buttons do."""
    return StartActivity(Intent(component=Component(package, package + activity), extras=extras))


def words_of(app: str, state: _Localized, word: str, /, **values: object) -> str:
    """Return a text of an app in the language of its state."""
    return texts_of(app, state.locale)(word, **values)
