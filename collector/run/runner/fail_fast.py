"""Tell from the faults of a run that going on would only repeat them: then it stops, with its reason."""

from __future__ import annotations

import re
import threading

from collector.model.i18n import _

ALWAYS, FIRST_CELLS, NEVER = "always", "first-cells", "never"
SAME_FAULTS = 3
"""Faults in a row of an agent, with the same reason, that stop a run."""
_NUMBER = re.compile(r"\d+")


class FailFast:
    """Counts the same faults in a row, of each agent by itself. Thread-safe."""

    def __init__(self, when: str) -> None:
        """``when`` is ALWAYS, FIRST_CELLS (of each agent, until the first that has an outcome) or NEVER."""
        self.reason = ""
        """Why the run is to stop, in a sentence; empty while it may go on."""
        self._when = when
        self._lock = threading.Lock()
        self._faults: dict[str, tuple[str, int]] = {}
        """By agent: the last reason, its numbers left out, and how often it came in a row."""
        self._proven: set[str] = set()
        """Agents that ended a cell with an outcome."""

    def note_outcome(self, agent: str) -> None:
        """An episode of an agent has its outcome."""
        with self._lock:
            self._proven.add(agent)
            self._faults.pop(agent, None)

    def note_fault(self, agent: str, why: str) -> None:
        """A fault ended an attempt of an agent."""
        with self._lock:
            if self._when == NEVER or (self._when == FIRST_CELLS and agent in self._proven):
                return
            alike = _NUMBER.sub("0", why)
            before, count = self._faults.get(agent, ("", 0))
            count = count + 1 if alike == before else 1
            self._faults[agent] = alike, count
            if count >= SAME_FAULTS and not self.reason:
                what = _("{agent} met the same fault {count} times in a row", agent=agent, count=count)
                self.reason = f"{what}: {why}"
