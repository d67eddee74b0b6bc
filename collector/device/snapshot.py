"""A tree and all that must be known to trust it: when it was asked for, who gave it, what was wrong."""

from __future__ import annotations

import time
from dataclasses import dataclass

from collector.device.foreground import Foreground
from collector.model.geometry import Rect
from collector.model.tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class TreeSnapshot:
    """One answer of a tree source. Times are ``time.monotonic_ns()``."""

    xml: bytes
    """Exactly the bytes the phone gave; empty when it gave none."""
    tree: Tree | None
    started_ns: int
    finished_ns: int
    source: str
    package: str = ""
    activity: str = ""
    problem: str = ""
    """One sentence on why there is no tree, or why it may be doubted; empty when all is well."""

    keyboard: Rect | None = None
    """Where the soft keyboard covers the screen; its keys are in no tree."""

    @classmethod
    def of(cls, xml: bytes, tree: Tree, started_ns: int, source: str, front: Foreground) -> TreeSnapshot:
        """A tree that has just been read, and what was in front then."""
        return cls(
            xml,
            tree,
            started_ns,
            time.monotonic_ns(),
            source,
            front.package,
            front.activity,
            keyboard=front.keyboard,
        )

    def age_ms(self, now_ns: int) -> int:
        """Milliseconds since the asking began: nothing in the tree is newer than it claims."""
        return max(0, (now_ns - self.started_ns) // 1_000_000)
