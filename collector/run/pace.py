"""How fast the workers of a run finish episodes, from when each of them begins and ends one."""

from __future__ import annotations

from collections import deque

_WINDOW_S = 300.0
"""The pace is that of the last five minutes."""


class RunPace:
    """The time before the first episode, in which phones and agents start, is no part of the pace.

    All times are seconds since the epoch.
    """

    def __init__(self) -> None:
        self._first = 0.0
        """When the first episode began; 0 before it."""
        self._finished: deque[float] = deque()
        """When each episode was finished."""
        self._attempts: deque[tuple[float, float, bool]] = deque()
        """Of each attempt: when it ended, how long it held its worker, the reset before it included, and
        whether it finished its episode."""
        self._busy: dict[str, float] = {}
        """Worker -> since when it has been busy: it ended an attempt, or began its first."""
        self._running: set[str] = set()

    def begin(self, worker: str, at: float) -> None:
        """A worker begins an attempt."""
        self._first = self._first or at
        self._busy.setdefault(worker, at)
        self._running.add(worker)

    def end(self, worker: str, at: float, seconds: float, *, is_finished: bool) -> None:
        """A worker ends an attempt that took ``seconds``."""
        self._attempts.append((at, at - self._busy.get(worker, at - seconds), is_finished))
        if is_finished:
            self._finished.append(at)
        self._busy[worker] = at
        self._running.discard(worker)
        for ended in (self._finished, self._attempts):
            while ended and _time(ended[0]) < at - _WINDOW_S:
                ended.popleft()

    def leave(self, worker: str) -> None:
        """A worker runs nothing any more."""
        self._busy.pop(worker, None)
        self._running.discard(worker)

    def episodes_a_minute(self, now: float) -> float:
        """Finished episodes a minute; 0 before the first."""
        since = max(self._first, now - _WINDOW_S)
        recent = sum(1 for ended in self._finished if ended >= since)
        return recent * 60 / max(1.0, now - since) if recent else 0.0

    def seconds_left(self, left: int, now: float) -> float | None:
        """Seconds until so many cells are finished, those that run now included.

        None before the first is finished.
        """
        finished = sum(is_finished for _ended, _busy, is_finished in self._attempts)
        if not finished:
            return None
        each = sum(busy for _ended, busy, _is_finished in self._attempts) / finished
        begun = sum(min(now - self._busy[worker], each) for worker in self._running)
        workers = max(min(len(self._busy), left), 1)
        return max(left * each - begun, 0.0) / workers


def _time(ended: float | tuple[float, float, bool]) -> float:
    return ended if isinstance(ended, float) else ended[0]
