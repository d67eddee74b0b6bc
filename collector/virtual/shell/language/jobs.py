"""Commands that a shell started with ``&``."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from collector.virtual.shell.pipes import Pipe

TERMINATED = 143
_POLL = 0.02


@dataclass(slots=True, eq=False)
class Job:
    """A command in the background: its process id, and its exit status when it has ended."""

    pid: int
    text: str
    """The command as it was written."""
    status: int = 0
    signal: int = 0
    """The signal that ended it; 0 when none did."""
    ended: threading.Event = field(default_factory=threading.Event)

    def has_ended(self) -> bool:
        """Wait a moment for its end."""
        return self.ended.wait(_POLL)


@dataclass(frozen=True, slots=True)
class Coprocess:
    """A command that ``|&`` started: what ``print -p`` writes, and what ``read -p`` reads."""

    job: Job
    to_it: Pipe
    from_it: Pipe
