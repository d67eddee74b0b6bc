"""A trajectory that another program writes, as far as it is written: read like a stored one, and polled."""

from __future__ import annotations

from pathlib import Path

from collector.model.trajectory import Step, Trajectory
from collector.store.trajectory.codec import Line
from collector.store.trajectory.reader import StoredTrajectory, read_header
from collector.store.trajectory.trajectory_tail import TailNews, TrajectoryTail


class GrowingTrajectory:
    """Keeps what :class:`TrajectoryTail` reads. Any thread, one at a time.

    Only what is new is read from the disk, so that a long episode is followed as cheaply as a short one.
    """

    def __init__(self, folder: Path) -> None:
        """Raises NotFound, Damaged, FromTheFuture or UnsafePath when there is no trajectory to read."""
        self._tail = TrajectoryTail(folder)
        self._stored = StoredTrajectory(folder, Trajectory(read_header(folder)))
        self._events: list[Line] = []

    @property
    def folder(self) -> Path:
        return self._tail.folder

    @property
    def stored(self) -> StoredTrajectory:
        """The trajectory as it was at the last :meth:`poll`; before the first one without steps."""
        return self._stored

    @property
    def events(self) -> tuple[Line, ...]:
        """The lines of its events at the last :meth:`poll`."""
        return tuple(self._events)

    def poll(self) -> TailNews:
        """Read what is new; the first time everything there is. Raises as :meth:`TrajectoryTail.poll`."""
        news = self._tail.poll()
        if news.is_rewritten:
            self._events.clear()
        self._events += news.events
        header = news.header or self._stored.header
        steps: tuple[Step, ...] = (*(() if news.is_rewritten else self._stored.steps), *news.steps)
        problems = (*(() if news.is_rewritten else self._stored.problems), *news.problems)
        if not news.is_empty:
            self._stored = StoredTrajectory(self.folder, Trajectory(header, steps), problems)
        return news
