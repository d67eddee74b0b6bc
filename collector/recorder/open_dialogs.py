"""What lies over the task's app while a person records, and so which steps were taken under it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from collector.recorder.screen_moment import ScreenMoment

STEP_KEY = "anomaly"
"""Key of a step's ``extra`` that says under which anomaly it was taken."""


@dataclass(slots=True)
class _OpenDialog:
    anomaly: str
    package: str
    since_ns: int
    over: str
    until_ns: int | None = None


class OpenDialogs:
    """Dialogs that are open, and when they were. Not thread-safe: the recorder's lock is held around it."""

    def __init__(self) -> None:
        self._known: dict[str, _OpenDialog] = {}

    def begin(self, injection: str, anomaly: str, package: str, since_ns: int, over: str = "") -> None:
        """A dialog of ``package`` came up at ``since_ns`` over an app, which may not be known."""
        self._known.setdefault(injection, _OpenDialog(anomaly, package, since_ns, over))

    def end(self, injection: str, until_ns: int) -> None:
        """It is known to be gone; it went some moments before."""
        one = self._known.get(injection)
        if one is not None and one.until_ns is None:
            one.until_ns = until_ns

    def mark(self, moment: ScreenMoment) -> dict[str, Any]:
        """What a step touched at ``moment`` has in its ``extra``: nothing, or the anomaly it met."""
        for injection, one in self._known.items():
            if _is_under(moment, one):
                over = {"over": one.over} if one.over else {}
                return {STEP_KEY: {"injection": injection, "anomaly": one.anomaly, **over}}
        return {}


def _is_under(moment: ScreenMoment, one: _OpenDialog) -> bool:
    """Between its coming and the news of its going, unless a tree read meanwhile shows it no more."""
    if moment.time_ns < one.since_ns or (one.until_ns is not None and moment.time_ns >= one.until_ns):
        return False
    snapshot, tree = moment.snapshot, moment.tree
    if snapshot is None or tree is None or snapshot.started_ns <= one.since_ns:
        return True
    return any(node.package == one.package for node in tree)
