"""Hand the cells of a run to its workers, in a fixed order; those that a fault ended again, after a pause."""

from __future__ import annotations

import heapq
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from collector.run.experiment.model import Cell

Clock = Callable[[], float]
EVERYONE = ""
"""In the place of an agent: a fault that any other agent may meet as well."""


@dataclass(frozen=True, slots=True)
class Backoff:
    """How long to wait after faults in a row: longer after each, up to a limit."""

    first_s: float = 2.0
    factor: float = 3.0
    longest_s: float = 60.0

    def seconds(self, faults: int) -> float:
        """The pause after so many faults in a row."""
        if faults < 1:
            return 0.0
        # A power of a large count would overflow.
        return min(self.first_s * self.factor ** min(faults - 1, 20), self.longest_s)


@dataclass(frozen=True, slots=True)
class QueuedCell:
    """A cell in the place it has in the matrix, and how often a fault ended it in this run."""

    place: int
    cell: Cell
    faults: int = 0


class CellQueue:
    """The cells that are not finished. Thread-safe.

    A worker that asks gets the first cell of the order; so a fast one takes more cells than a slow one.
    """

    def __init__(
        self, cells: Iterable[Cell], backoff: Backoff | None = None, *, clock: Clock = time.monotonic
    ) -> None:
        self._waiting = deque(QueuedCell(place, cell) for place, cell in enumerate(cells))
        self._later: list[tuple[float, int, QueuedCell]] = []
        self._out = 0
        self._backoff = backoff or Backoff()
        self._clock = clock
        self._changed = threading.Condition()
        self._is_paused = False
        self._is_stopped = False
        self._faults_in_a_row: dict[str, int] = {}
        self._hold_until: dict[str, float] = {}
        """Both by agent; those of EVERYONE hold all agents."""

    @property
    def left(self) -> int:
        """Cells that are neither finished nor given up."""
        with self._changed:
            return len(self._waiting) + len(self._later) + self._out

    def take(self) -> QueuedCell | None:
        """Wait for the next cell; None when all are finished or given up, or the run stops."""
        with self._changed:
            while not self._is_stopped and (self._waiting or self._later or self._out):
                self._wake_due()
                now = self._clock()
                self._hold_until = {agent: due for agent, due in self._hold_until.items() if due > now}
                if not self._is_paused and (queued := self._next()) is not None:
                    self._out += 1
                    return queued
                due_s = [self._later[0][0] - now] if self._later else []
                due_s += [due - now for due in self._hold_until.values()]
                self._changed.wait(max(min(due_s), 0.0) if due_s and not self._is_paused else None)
            return None

    def finish(self, cell: QueuedCell) -> None:
        """A cell has its outcome."""
        with self._changed:
            for whose in (EVERYONE, cell.cell.agent):
                self._faults_in_a_row.pop(whose, None)
                self._hold_until.pop(whose, None)
            self._settle()

    def give_up(self, _cell: QueuedCell, whose: str = EVERYONE) -> None:
        """Faults used up the attempts of a cell. ``whose`` is the agent, when it alone failed."""
        with self._changed:
            self._count_fault(whose)
            self._settle()

    def skip(self, _cell: QueuedCell) -> None:
        """A person stopped the episode: its cell is not run, and that is no fault."""
        with self._changed:
            self._settle()

    def retry(self, cell: QueuedCell, whose: str = EVERYONE) -> None:
        """Hand a cell out again, after a pause. ``whose`` is the agent, when it alone failed."""
        with self._changed:
            again = QueuedCell(cell.place, cell.cell, cell.faults + 1)
            due = self._clock() + self._backoff.seconds(again.faults)
            heapq.heappush(self._later, (due, again.place, again))
            self._count_fault(whose)
            self._settle()

    def put_back(self, cell: QueuedCell) -> None:
        """A cell was not tried; it comes first again."""
        with self._changed:
            self._waiting.appendleft(cell)
            self._settle()

    def pause(self) -> None:
        """Hand out nothing until :meth:`resume`."""
        with self._changed:
            self._is_paused = True

    def resume(self) -> None:
        """Go on handing out."""
        with self._changed:
            self._is_paused = False
            self._changed.notify_all()

    def stop(self) -> None:
        """Hand out nothing any more."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()

    def _settle(self) -> None:
        self._out -= 1
        self._changed.notify_all()

    def _next(self) -> QueuedCell | None:
        """Take the first cell that is not held out of the waiting ones."""
        if EVERYONE in self._hold_until:
            return None
        for place, queued in enumerate(self._waiting):
            if queued.cell.agent not in self._hold_until:
                del self._waiting[place]
                return queued
        return None

    def _count_fault(self, whose: str) -> None:
        """After faults of several episodes in a row all wait, or the agent whose faults they are.

        A network that is away comes back; a broken agent must not keep the others waiting.
        """
        count = self._faults_in_a_row[whose] = self._faults_in_a_row.get(whose, 0) + 1
        self._hold_until[whose] = self._clock() + self._backoff.seconds(count - 2)

    def _wake_due(self) -> None:
        """Put the cells whose pause is over in front, the first of the order first."""
        due = []
        while self._later and self._later[0][0] <= self._clock():
            due.append(heapq.heappop(self._later)[2])
        self._waiting.extendleft(sorted(due, key=lambda cell: cell.place, reverse=True))
