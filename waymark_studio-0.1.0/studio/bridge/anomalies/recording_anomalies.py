"""The anomalies that a recording left open."""

from __future__ import annotations

from pathlib import Path

from collector.anomalies.events import UNCLEAR, UNDONE, AnomalyEvent
from collector.model.i18n import _
from collector.store.files.layout import EVENTS
from collector.store.trajectory.interruptions import Interruption, anomalies_in
from collector.store.trajectory.trajectory_files import read_lines


def left_open(folder: Path) -> tuple[Interruption, ...]:
    """The anomalies of a trajectory without a recorded end. Reads the disk."""
    interruptions = anomalies_in(read_lines(folder / EVENTS).lines)
    return tuple(interruption for interruption in interruptions if interruption.over_ms is None)


def ended_meanwhile(interruption: Interruption, time_ns: int) -> AnomalyEvent:
    """The end of an anomaly, for a recording that goes on after it: nobody saw when and how it ended.

    ``time_ns`` is when that recording began, on the clock of ``time.monotonic_ns``.
    """
    reason = _("It ended while nothing was recorded")
    kind = UNDONE if interruption.native else UNCLEAR
    return AnomalyEvent(
        kind, interruption.injection, interruption.anomaly, time_ns, native=interruption.native, reason=reason
    )
