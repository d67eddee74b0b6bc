"""A tree with its provenance: when it was requested, by which source, and whether it can be trusted."""

from __future__ import annotations

import time
from dataclasses import dataclass

from collector.device.foreground import Foreground
from collector.model.app_data.collections import AppData
from collector.model.geometry import Rect
from collector.model.tree import Tree


@dataclass(frozen=True, slots=True, eq=False)
class TreeSnapshot:
    """One answer of a tree source. Times are ``time.monotonic_ns()``."""

    xml: bytes
    """The bytes the phone sent; empty when it sent none."""
    tree: Tree | None
    started_ns: int
    finished_ns: int
    source: str
    package: str = ""
    activity: str = ""
    problem: str = ""
    """One sentence on why there is no tree or why it may be wrong; empty otherwise."""

    keyboard: Rect | None = None
    """Frame of the soft keyboard, whose keys are not in the tree; None while it is hidden."""
    apps: frozenset[str] | None = None
    """Packages on the phone; None when its list was not read."""
    app_data: AppData | None = None
    """What apps keep for the person; None when the phone does not say it."""

    @classmethod
    def of(
        cls, xml: bytes, tree: Tree, started_ns: int, source: str, front: Foreground,
        apps: frozenset[str] | None = None, app_data: AppData | None = None,
    ) -> TreeSnapshot:  # fmt: skip
        """Make a snapshot of a tree read just now, with the window in front, and what is on the phone."""
        return cls(
            xml,
            tree,
            started_ns,
            time.monotonic_ns(),
            source,
            front.package,
            front.activity,
            keyboard=front.keyboard,
            apps=apps,
            app_data=app_data,
        )

    def age_ms(self, now_ns: int) -> int:
        """Return the milliseconds since the request, an upper bound of the tree's age."""
        return max(0, (now_ns - self.started_ns) // 1_000_000)
