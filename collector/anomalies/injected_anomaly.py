"""An anomaly that was injected, until it is over."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from collector.anomalies.dialogs.companion import LogPosition
from collector.anomalies.model import Anomaly
from collector.model.companion.chain import ExpectedDialog


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
    """The state of one injection; only its :class:`~collector.anomalies.injector.Injector` changes it."""

    id: str
    anomaly: Anomaly
    stage: InjectionStage
    package: str = ""
    step: int | None = None
    values: Mapping[str, str] = field(default_factory=dict)
    command: str = ""
    """The command that showed the dialog or made the change."""
    since: LogPosition = field(default_factory=lambda: LogPosition("", ""))
    follow_up: Mapping[str, str] = field(default_factory=dict)
    """The follow-ups of the injection rule, by answer or event."""
    answer: str = ""
    """Its name in rules; empty for an event of no known button."""
    event: str = ""
    was_so: bool = False
    """The phone was in this state already: nothing was changed, and nothing is undone."""
    how: str = ""
    """How the dialog ended last, as our companion app says it; empty with D-GARA's."""
    dialogs: tuple[ExpectedDialog, ...] = ()
    """What our companion app shows for it; empty with D-GARA's app, which says nothing of its dialogs."""
    heard: int = 0
    """How many answers of our app were taken in."""
    looks: int = 0
    """How often it was to be seen whether its dialogs are on the phone."""
    absent: int = 0
    """How often in a row a dialog that was to come was not on the phone."""
    marked: bool = False
    """Our line was seen in the phone's log; when it is gone, later lines may be lost too."""
    silent: int = 0
    """How often in a row the log did not answer."""

    @property
    def is_over(self) -> bool:
        return self.stage not in (InjectionStage.OPEN, InjectionStage.ACTIVE)
