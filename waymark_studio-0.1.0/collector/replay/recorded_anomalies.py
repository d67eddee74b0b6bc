"""Write what becomes of an injected anomaly into the recording or the run it interrupts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from collector.anomalies.events import ANSWERED, DISMISSED, INJECTED, UNCLEAR, UNDONE, AnomalyEvent
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.store.trajectory.interruptions import EVENT


class InterruptedRecording(Protocol):
    """The part of a recorder that notes anomalies; of a person's recording and of a run."""

    def note_event(self, kind: str, time_ns: int, data: Mapping[str, Any]) -> None: ...

    def interrupt(
        self, injection: str, anomaly: str, time_ns: int, package: str = "", over: str = ""
    ) -> None: ...

    def interruption_over(self, injection: str, time_ns: int) -> None: ...


def note_anomaly(recording: InterruptedRecording, event: AnomalyEvent) -> None:
    """Write an event: its line, and when the anomaly begins or ends."""
    if event.kind == INJECTED:
        package = "" if event.native else COMPANION_PACKAGE
        recording.interrupt(event.injection, event.anomaly, event.time_ns, package, event.package)
    elif event.kind in (ANSWERED, DISMISSED, UNCLEAR, UNDONE):
        recording.interruption_over(event.injection, event.time_ns)
    recording.note_event(EVENT, event.time_ns, event.as_line())
