"""The episode that a worker runs: what is said to it meanwhile, and its end when the worker closes."""

from __future__ import annotations

import threading
from collections.abc import Callable

from collector.run.cycle.episode_job import EpisodeResult
from collector.run.cycle.steering.control import ControlCommand, ShowScreens
from collector.run.cycle.steering.episode_control import EpisodeControl

_CLOSE_S = 10.0


class RunningEpisode:
    """One episode at a time, of one worker. Thread-safe."""

    def __init__(self) -> None:
        self.busy = threading.Lock()
        """Held while an episode runs, and by whoever needs the worker at rest."""
        self._lock = threading.Lock()
        self._control: EpisodeControl | None = None
        self._shows_screens = False
        self._is_closed = False

    def run(self, work: Callable[[EpisodeControl], EpisodeResult]) -> EpisodeResult:
        """Run an episode with a control of its own; one that begins after :meth:`close` is cancelled."""
        control = EpisodeControl()
        with self._lock:
            control.shows_screens = self._shows_screens
            self._control = control
            if self._is_closed:
                control.cancel()
        try:
            with self.busy:
                return work(control)
        finally:
            with self._lock:
                self._control = None

    def control(self, command: ControlCommand) -> None:
        """Tell it to the episode that runs; whether screens are shown holds for all that follow, too."""
        with self._lock:
            if isinstance(command, ShowScreens):
                self._shows_screens = command.wanted
            control = self._control
        if control is not None:
            control.send(command)

    def close(self, give_back: Callable[[], None]) -> bool:
        """Cancel the episode, and give back what it used; False when it does not end within ten seconds."""
        with self._lock:
            self._is_closed = True
            if self._control is not None:
                self._control.cancel()
        if not self.busy.acquire(timeout=_CLOSE_S):
            return False
        try:
            give_back()
        finally:
            self.busy.release()
        return True
