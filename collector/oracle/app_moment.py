"""An app during a search: what it is at a moment, and what a move makes of it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from collector.oracle.frozen_values import frozen
from collector.oracle.moves import BACK, Move, TextsFor, moves_on
from collector.virtual.system.app_model import AppModel, OpenPage
from collector.virtual.ui.app import INTENT_DATA, STARTED
from collector.virtual.ui.effects import (
    Effect,
    Finish,
    GoHome,
    RequestPermission,
    ShowSnackbar,
    StartActivity,
)
from collector.virtual.ui.events import Event
from collector.virtual.ui.widgets import Screen

OutOfReach = tuple[Hashable, Hashable]
"""What an app is at a moment, and what a move sends it."""
_DEEPEST = 8
"""Open screens of an app above which a search does not go."""


@dataclass(frozen=True, slots=True, eq=False)
class AppMoment:
    """An app between two moves."""

    state: Any
    pages: tuple[OpenPage, ...]
    """Open screens, that in front last; empty when the app was left."""
    note: Event | None = None
    """What the button of the message at the bottom sends."""

    @property
    def key(self) -> Hashable:
        """Equal for moments from which everything goes on in the same way."""
        return frozen(self.state), frozen(self.pages), self.note


def move_at(moment: AppMoment, move: Move) -> OutOfReach:
    """A move at a moment, as :class:`AppWorld` is told that it cannot be carried out."""
    return moment.key, _sent_by(move)


def _sent_by(move: Move) -> Hashable:
    return frozen(move.event) if move.event is not None else move.kind


class AppWorld:
    """The moments that an app can come to. Use it within ``model.in_use()``."""

    def __init__(self, model: AppModel, out_of_reach: Collection[OutOfReach] = ()) -> None:
        """``out_of_reach`` are moves that cannot be carried out, see :func:`move_at`."""
        self.model = model
        self._package = model.app.package
        self._out_of_reach = out_of_reach

    @property
    def now(self) -> AppMoment:
        """The app as it was on the phone, with its first screen when none is open."""
        moment = AppMoment(self.model.state, self.model.pages, self.model.note)
        launcher = self.model.app.launcher_activity
        if moment.pages or launcher is None:
            return moment
        started = self._started(moment, launcher.name, {}, "")
        return started or moment

    def screen(self, moment: AppMoment) -> Screen:
        """What the app shows."""
        return self.model.view(moment.state, moment.pages[-1])

    def moves(self, moment: AppMoment, texts_for: TextsFor) -> Iterator[Move]:
        """What can be done at a moment, each event once."""
        seen: set[Hashable] = set()
        if self._out_of_reach:
            seen.update(move for at, move in self._out_of_reach if at == moment.key)
        for move in moves_on(self.screen(moment), moment.note, texts_for):
            known = _sent_by(move)
            if known not in seen:
                seen.add(known)
                yield move

    def after(self, moment: AppMoment, move: Move) -> AppMoment | None:
        """The moment after a move; None when it leads out of the app."""
        before = replace(moment, note=None)
        if move.event is not None:
            return self._sent(before, move.event)
        return self._finished(before) if move.kind == BACK else before

    def _sent(self, moment: AppMoment, event: Event) -> AppMoment | None:
        state, effects = self.model.update(moment.state, event)
        current: AppMoment | None = replace(moment, state=state)
        for effect in effects:
            current = self._with(current, effect) if current is not None else None
        return current

    def _with(self, moment: AppMoment, effect: Effect) -> AppMoment | None:
        """A moment with an effect carried out, of those that decide which screen is in front."""
        if isinstance(effect, StartActivity):
            return self._opened(moment, effect)
        if isinstance(effect, Finish):
            return self._finished(moment)
        if isinstance(effect, GoHome):
            return None
        if isinstance(effect, ShowSnackbar):
            return replace(moment, note=effect.on_action)
        if isinstance(effect, RequestPermission) and effect.answer is not None:
            return self._sent(moment, effect.answer.with_value(True))
        return moment

    def _finished(self, moment: AppMoment) -> AppMoment | None:
        pages = moment.pages[:-1]
        return replace(moment, pages=pages) if pages else None

    def _opened(self, moment: AppMoment, effect: StartActivity) -> AppMoment | None:
        intent = effect.intent
        if intent.component is None or intent.component.package != self._package:
            return None
        activity = self.model.app.activity(intent.component.activity)
        if activity is None or len(moment.pages) >= _DEEPEST:
            return None
        return self._started(moment, activity.name, intent.extras, intent.data)

    def _started(
        self, moment: AppMoment, name: str, extras: Mapping[str, object], data: str
    ) -> AppMoment | None:
        """A moment with a screen opened, or with its intent given to the one in front."""
        pages = moment.pages
        activity = self.model.app.activity(name)
        assert activity is not None
        if pages and pages[-1].activity == name and activity.single_top:
            if not activity.takes_new_intents:
                return moment
            kept = tuple(extras.items()) or pages[-1].extras
            pages = (*pages[:-1], OpenPage(name, kept, data))
        else:
            pages = (*pages, OpenPage(name, tuple(extras.items()), data))
        told = {**extras, **({INTENT_DATA: data} if data else {})}
        return self._sent(replace(moment, pages=pages), Event(STARTED, name, told))
