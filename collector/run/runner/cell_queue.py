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
        self._faults_in_a_row = 0
        self._hold_until = 0.0

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
                wait_s = self._hold_until - self._clock()
                if self._waiting and not self._is_paused and wait_s <= 0:
                    self._out += 1
                    return self._waiting.popleft()
                due_s = [self._later[0][0] - self._clock()] if self._later else []
                due_s += [wait_s] if wait_s > 0 else []
                self._changed.wait(max(min(due_s), 0.0) if due_s and not self._is_paused else None)
            return None

    def finish(self, _cell: QueuedCell) -> None:
        """A cell has its outcome."""
        with self._changed:
            self._faults_in_a_row = 0
            self._hold_until = 0.0
            self._settle()

    def give_up(self, _cell: QueuedCell) -> None:
        """Faults used up the attempts of a cell: it is not run."""
        with self._changed:
            self._count_fault()
            self._settle()

    def skip(self, _cell: QueuedCell) -> None:
        """A person stopped the episode: its cell is not run, and that is no fault."""
        with self._changed:
            self._settle()

    def retry(self, cell: QueuedCell) -> None:
        """Hand a cell out again, after a pause."""
        with self._changed:
            again = QueuedCell(cell.place, cell.cell, cell.faults + 1)
            due = self._clock() + self._backoff.seconds(again.faults)
            heapq.heappush(self._later, (due, again.place, again))
            self._count_fault()
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

    def _count_fault(self) -> None:
        """After faults of several episodes in a row all wait: a network that is away comes back."""
        self._faults_in_a_row += 1
        self._hold_until = self._clock() + self._backoff.seconds(self._faults_in_a_row - 2)

    def _wake_due(self) -> None:
        """Put the cells whose pause is over in front, the first of the order first."""
        due = []
        while self._later and self._later[0][0] <= self._clock():
            due.append(heapq.heappop(self._later)[2])
        self._waiting.extendleft(sorted(due, key=lambda cell: cell.place, reverse=True))
