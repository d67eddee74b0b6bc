"""What becomes of an anomaly, as a recording keeps it."""

from __future__ import annotations

from collector.anomalies.events import ANSWERED, DISMISSED, INJECTED, UNCLEAR, UNDONE, AnomalyEvent
from collector.recorder.recorder import Recorder
from collector.rules.lint.indexes import COMPANION
from collector.store.interruptions import EVENT


def note_anomaly(recorder: Recorder, event: AnomalyEvent) -> None:
    """Hand a transition to the recorder: its line, and from when to when it lies over the app."""
    if event.kind == INJECTED:
        package = "" if event.native else COMPANION
        recorder.interrupt(event.injection, event.anomaly, event.time_ns, package)
    elif event.kind in (ANSWERED, DISMISSED, UNCLEAR, UNDONE):
        recorder.interruption_over(event.injection, event.time_ns)
    recorder.note_event(EVENT, event.time_ns, event.as_line())
