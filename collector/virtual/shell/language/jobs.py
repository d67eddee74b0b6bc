"""Commands that a shell started with ``&``."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

from collector.virtual.shell.process_table import CancelScope

TERMINATED = 143
_POLL = 0.2


@dataclass(slots=True, eq=False)
class Job:
    """A command in the background: its process id, and its exit status when it has ended."""

    pid: int
    status: int = 0
    ended: threading.Event = field(default_factory=threading.Event)

    def wait(self, interruption: CancelScope) -> bool:
        """Wait for its end; False when the waiting shell was interrupted before."""
        while not self.ended.wait(_POLL):
            if interruption.is_set:
                return False
        return True
