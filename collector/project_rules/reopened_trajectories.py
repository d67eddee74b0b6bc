"""Trajectories that are opened again when somebody asks for their steps: thousands take little memory."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from collector.model.app_data.collections import AppData
from collector.model.trajectory import State, Step, Trajectory, TrajectoryHeader
from collector.store.files.errors import StoreError
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

MOST_STEPS = 5_000
"""Steps that stay in memory, 4 KB each, of the trajectories that were used last."""
_log = logging.getLogger(__name__)


class OpenTrajectories:
    """Those that were used last, with at most :data:`MOST_STEPS` steps, but at least one. Thread-safe."""

    def __init__(self) -> None:
        self._open: OrderedDict[Path, StoredTrajectory] = OrderedDict()
        self._steps = 0
        self._lock = threading.Lock()

    def keep(self, stored: StoredTrajectory) -> ReopenedTrajectory:
        """Take over an open trajectory; it is read again when it is asked for after others were."""
        with self._lock:
            self._put(stored)
        return ReopenedTrajectory(stored.folder, self)

    def of(self, folder: Path) -> StoredTrajectory:
        """The trajectory in a folder; one without steps when it can no longer be read."""
        with self._lock:
            stored = self._open.get(folder)
            if stored is None:
                self._put(stored := _opened(folder))
            else:
                self._open.move_to_end(folder)
            return stored

    def _put(self, stored: StoredTrajectory) -> None:
        self._open[stored.folder] = stored
        self._steps += len(stored.steps)
        while self._steps > MOST_STEPS and len(self._open) > 1:
            _folder, dropped = self._open.popitem(last=False)
            self._steps -= len(dropped.steps)


@dataclass(frozen=True, slots=True)
class ReopenedTrajectory:
    """A trajectory as a corpus reads it. After a change to its files it has its steps as they are then."""

    folder: Path
    others: OpenTrajectories = field(repr=False)

    @property
    def stored(self) -> StoredTrajectory:
        return self.others.of(self.folder)

    @property
    def header(self) -> TrajectoryHeader:
        return self.stored.header

    @property
    def steps(self) -> Sequence[Step]:
        return self.stored.steps

    def tree(self, step: Step) -> bytes | None:
        """The dump of a step's state as received. Raises UserError when it is gone."""
        return self.stored.tree(step)

    def screenshot(self, step: Step) -> bytes | None:
        """The encoded screenshot of a step's state. Raises UserError when it is gone."""
        return self.stored.screenshot(step)

    def app_data(self, state: State) -> AppData | None:
        """What apps kept for the person at a state; None when it was not recorded. Raises UserError."""
        return self.stored.app_data(state)


def _opened(folder: Path) -> StoredTrajectory:
    try:
        return open_trajectory(folder)
    except StoreError as error:
        _log.info("%s cannot be read any more: %s", folder.name, error)
        return StoredTrajectory(folder, Trajectory(TrajectoryHeader(folder.name, "")))
