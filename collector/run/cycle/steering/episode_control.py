"""How other threads steer a running episode: commands of people, and the end of the whole run."""

from __future__ import annotations

import queue
import threading

from collector.model.episode_text import STOPPED_ALONE, STOPPED_WITH_RUN
from collector.model.i18n import _
from collector.run.cycle.steering.control import ControlCommand, ShowScreens, StopEpisode


class EpisodeControl:
    """The commands that wait for one episode, and its cancellation. Thread-safe."""

    def __init__(self, *, shows_screens: bool = False, is_paused: bool = False) -> None:
        """``shows_screens`` and ``is_paused`` are what held when the episode began."""
        self.cancelled = threading.Event()
        """Set it to end the episode within a tenth of a second; better call :meth:`cancel`."""
        self.reason = ""
        """Why it was cancelled, in a sentence."""
        self.is_stopped = False
        """Whether people ended it, or the run that it belongs to."""
        self.shows_screens = shows_screens
        """Whether observed screens are sent with a picture."""
        self.is_paused = is_paused
        """Whether the first step waits for a person."""
        self._commands: queue.SimpleQueue[ControlCommand] = queue.SimpleQueue()

    def send(self, command: ControlCommand) -> None:
        """Hand over a command; returns at once."""
        if isinstance(command, ShowScreens):
            self.shows_screens = command.wanted
        elif isinstance(command, StopEpisode):
            self.is_stopped = True
            self.cancel(STOPPED_WITH_RUN if command.with_run else STOPPED_ALONE)
        else:
            self._commands.put(command)

    def cancel(self, reason: str = "") -> None:
        """End the episode without an outcome; the first reason counts."""
        self.reason = self.reason or reason or _("The runner ended")
        self.cancelled.set()

    def next_command(self, timeout_s: float = 0.0) -> ControlCommand | None:
        """The oldest command that waits; None when there is none within ``timeout_s``."""
        try:
            return self._commands.get(timeout=timeout_s) if timeout_s > 0 else self._commands.get_nowait()
        except queue.Empty:
            return None
