"""What an agent writes beside its answers, as a program to its standard error: kept until it is taken."""

from __future__ import annotations

import threading
from collections import deque

from collector.model.i18n import ngettext

_FIRST, _LAST = 50, 150
"""Lines that are kept between two takings; those in the middle of a flood are counted."""
_LONGEST = 2000
"""Characters of a line, before what is secret in it is masked."""


class AgentLog:
    """Lines of an agent. Thread-safe; holds some 400 kB at most, whatever the agent writes."""

    def __init__(self) -> None:
        self.is_written = False
        """Whether the agent wrote anything, taken or not."""
        self._lock = threading.Lock()
        self._first: list[str] = []
        self._last: deque[str] = deque(maxlen=_LAST)
        self._count = 0

    def add(self, text: str) -> None:
        """Keep a text, a line at a time."""
        with self._lock:
            for line in text.splitlines():
                self.is_written = True
                self._count += 1
                kept = self._first if len(self._first) < _FIRST else self._last
                kept.append(line[:_LONGEST].rstrip())

    def take(self) -> list[str]:
        """The lines since this was called last, the oldest first; what was left out is said in its place."""
        with self._lock:
            lines, left_out = [*self._first, *self._last], self._count - len(self._first) - len(self._last)
            if left_out:
                words = ngettext("… {count} line was left out …", "… {count} lines were left out …", left_out)
                lines.insert(_FIRST, words)
            self._first, self._count = [], 0
            self._last.clear()
        return lines
