"""Injected dialogs that are open during a recording, to mark the steps that were taken under them."""

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
    """Injected dialogs and when each was open. Not thread-safe: the recorder holds its lock."""

    def __init__(self) -> None:
        self._dialogs: dict[str, _OpenDialog] = {}

    def begin(self, injection: str, anomaly: str, package: str, since_ns: int, over: str = "") -> None:
        """A dialog of ``package`` opened at ``since_ns`` over the app ``over``, empty when not known."""
        self._dialogs.setdefault(injection, _OpenDialog(anomaly, package, since_ns, over))

    def end(self, injection: str, until_ns: int) -> None:
        """The dialog is known to be closed by ``until_ns``."""
        dialog = self._dialogs.get(injection)
        if dialog is not None and dialog.until_ns is None:
            dialog.until_ns = until_ns

    def mark(self, moment: ScreenMoment) -> dict[str, Any]:
        """The ``extra`` of a step taken at ``moment``: the anomaly that was open, or nothing."""
        for injection, dialog in self._dialogs.items():
            if _is_under(moment, dialog):
                over = {"over": dialog.over} if dialog.over else {}
                return {STEP_KEY: {"injection": injection, "anomaly": dialog.anomaly, **over}}
        return {}


def _is_under(moment: ScreenMoment, dialog: _OpenDialog) -> bool:
    """Whether the dialog was open at ``moment``, unless a tree read since its opening shows it gone."""
    if moment.time_ns < dialog.since_ns or (
        dialog.until_ns is not None and moment.time_ns >= dialog.until_ns
    ):
        return False
    snapshot, tree = moment.snapshot, moment.tree
    if snapshot is None or tree is None or snapshot.started_ns <= dialog.since_ns:
        return True
    return any(node.package == dialog.package for node in tree)
