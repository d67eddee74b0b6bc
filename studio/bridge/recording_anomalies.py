"""The anomalies in a recording: their events, and those that were left open."""

from __future__ import annotations

from pathlib import Path

from collector.anomalies.events import ANSWERED, DISMISSED, INJECTED, UNCLEAR, UNDONE, AnomalyEvent
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.i18n import _
from collector.recorder.recorder import Recorder
from collector.store.interruptions import EVENT, Interruption, anomalies_in
from collector.store.layout import EVENTS
from collector.store.trajectory_files import read_lines


def note_anomaly(recorder: Recorder, event: AnomalyEvent) -> None:
    """Give an event to the recorder: its line, and when the anomaly begins or ends."""
    if event.kind == INJECTED:
        package = "" if event.native else COMPANION_PACKAGE
        recorder.interrupt(event.injection, event.anomaly, event.time_ns, package, event.package)
    elif event.kind in (ANSWERED, DISMISSED, UNCLEAR, UNDONE):
        recorder.interruption_over(event.injection, event.time_ns)
    recorder.note_event(EVENT, event.time_ns, event.as_line())


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
