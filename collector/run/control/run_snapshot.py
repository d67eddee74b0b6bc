"""The events that show somebody who attaches how a run stands now."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from collector.run.control.event_masking import masked_event
from collector.run.events import (
    ActionPredicted,
    AnomalyChanged,
    ControlChanged,
    EpisodeBegan,
    EpisodeEnded,
    PhaseChanged,
    RunBegan,
    RunChanged,
    RunEnded,
    RunEvent,
    ScreenObserved,
    StatesReached,
    StepDone,
    UserAsked,
    WorkerChanged,
)
from collector.store.redaction.secret_text import SecretTexts

_LONGEST = 400
"""Actions, steps and anomalies of an episode that are kept."""
MOST_ENDED = 300
"""Ends of episodes that are kept, the newest; those before them are in the log of the run."""
_NEWEST_ONLY = (ScreenObserved, PhaseChanged, ControlChanged, StatesReached, UserAsked)
_ALL = (ActionPredicted, StepDone, AnomalyChanged)


class _RunningEpisode:
    """The events of an episode: all its actions, and the newest of what replaces what was before."""

    def __init__(self, began: EpisodeBegan) -> None:
        self.began = began
        self._events: list[RunEvent] = []

    def add(self, event: RunEvent) -> None:
        if isinstance(event, _NEWEST_ONLY):
            self._events = [known for known in self._events if type(known) is not type(event)]
        self._events.append(event)
        if len(self._events) > _LONGEST:
            del self._events[next(i for i, known in enumerate(self._events) if isinstance(known, _ALL))]

    def events(self) -> list[RunEvent]:
        return [self.began, *self._events]

    def hide(self, secrets: SecretTexts) -> None:
        self.began = masked_event(self.began, secrets)
        self._events = [masked_event(event, secrets) for event in self._events]


class RunSnapshot:
    """Keeps what is needed to show the present of a run. A snapshot begins with :class:`RunBegan`."""

    def __init__(self) -> None:
        self._began: RunBegan | None = None
        self._run: RunChanged | None = None
        self._ended: RunEnded | None = None
        self._workers: dict[str, WorkerChanged] = {}
        self._running: dict[str, _RunningEpisode] = {}
        self._done: dict[str, EpisodeEnded] = {}
        self.has_forgotten = False
        """Whether more episodes ended than are kept."""

    def add(self, event: RunEvent) -> None:
        """Take in the next event of the run."""
        match event:
            case RunBegan():
                self.__init__()  # type: ignore[misc]
                self._began = event
            case RunChanged():
                self._run = event
            case RunEnded():
                self._ended = event
            case WorkerChanged():
                self._workers[event.worker] = event
            case EpisodeBegan():
                self._running[event.worker] = _RunningEpisode(event)
                self._done.pop(event.cell, None)
            case EpisodeEnded():
                self._running.pop(event.worker, None)
                self._done.pop(event.cell, None)
                self._done[event.cell] = event
                if len(self._done) > MOST_ENDED:
                    del self._done[next(iter(self._done))]
                    self.has_forgotten = True
            case _:
                episode = self._running.get(getattr(event, "worker", ""))
                if episode is not None and episode.began.cell == getattr(event, "cell", ""):
                    episode.add(event)

    def hide(self, secrets: SecretTexts) -> bool:
        """Mask texts in what is kept; whether anything changed."""
        before = self.events()
        self._run = self._run and masked_event(self._run, secrets)
        self._ended = self._ended and masked_event(self._ended, secrets)
        self._workers = {name: masked_event(event, secrets) for name, event in self._workers.items()}
        self._done = {cell: masked_event(event, secrets) for cell, event in self._done.items()}
        for episode in self._running.values():
            episode.hide(secrets)
        return self.events() != before

    def events(self, ended: Mapping[str, EpisodeEnded] | None = None) -> list[RunEvent]:
        """The events, in an order in which they could have happened.

        ``ended`` are the ends of episodes that the log has, by ``Cell.id``, for those that are not kept.
        """
        single = [event for event in (self._began, self._run) if event is not None]
        running = {episode.began.cell for episode in self._running.values()}
        before = [
            event for cell, event in (ended or {}).items() if cell not in self._done and cell not in running
        ]
        events: list[RunEvent] = [*single, *self._workers.values(), *before, *self._done.values()]
        for episode in self._running.values():
            events += episode.events()
        if self._ended is not None:
            events.append(self._ended)
        return events


def without_picture(event: RunEvent) -> RunEvent:
    """The event without the picture of the screen."""
    if isinstance(event, ScreenObserved) and event.picture:
        return dataclasses.replace(event, picture=b"")
    return event
