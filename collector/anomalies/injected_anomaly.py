"""One anomaly that was injected, from the moment it is made until it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from collector.anomalies.companion import LogPosition
from collector.anomalies.model import Anomaly


class InjectionStage(StrEnum):
    """Where an injection is."""

    OPEN = "open"
    """A dialog waits for its answer."""
    ACTIVE = "active"
    """The phone is changed."""
    ANSWERED = "answered"
    DISMISSED = "dismissed"
    UNCLEAR = "unclear"
    UNDONE = "undone"


@dataclass(slots=True)
class InjectedAnomaly:
    """What became of an anomaly; only its :class:`~collector.anomalies.injector.Injector` changes it."""

    id: str
    anomaly: Anomaly
    stage: InjectionStage
    package: str = ""
    step: int | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    """What showed the dialog."""
    since: LogPosition = field(default_factory=lambda: LogPosition("", ""))
    follow_up: Mapping[str, str] = field(default_factory=dict)
    """The injection rule's own."""
    answer: str = ""
    """As rules call it; empty for an event no button is known for."""
    event: str = ""
    was_so: bool = False
    """The phone was already as the anomaly makes it: nothing was changed, nothing is taken back."""
    marked: bool = False
    """Our line was seen in the phone's log: where it is no more, what came after it may be lost too."""
    silent: int = 0
    """How often in a row the log did not say what became of it."""

    @property
    def is_over(self) -> bool:
        return self.stage not in (InjectionStage.OPEN, InjectionStage.ACTIVE)
