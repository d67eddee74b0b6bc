"""The events of a recorder: a step was captured or written, the next state is ready, something went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from collector.device.snapshot import TreeSnapshot
from collector.model.action import Action
from collector.model.trajectory import Step

PHONE_LOST = "phone_lost"
"""The event of a recording whose phone went away, so that it has no final state."""


class Phase(Enum):
    """The phase of a recording."""

    RECORDING = "recording"
    PAUSED = "paused"
    FINISHING = "finishing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class StepCaptured:
    """An action was recognised and its step is being written. Emitted on the thread of the action."""

    action: Action
    t_ms: int
    input_source: str = ""
    """``getevent`` for actions on the phone itself, empty for the mirror."""


@dataclass(frozen=True, slots=True)
class NextStateReady:
    """The screen came to rest, or the time limit passed, and its tree has been read."""

    nodes: int
    settle_ms: int
    in_time: bool
    snapshot: TreeSnapshot | None = field(default=None, compare=False, repr=False)
    """The tree of that screen; None when it did not come in time."""


@dataclass(frozen=True, slots=True)
class StepCommitted:
    """A step was written and flushed to the disk."""

    step: Step


@dataclass(frozen=True, slots=True)
class StepsChanged:
    """Steps were edited: ``title`` says how, ``steps`` are all steps as they are now."""

    title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class RerecordArmed:
    """The next action replaces the step at ``index``, or comes before it; None when it goes to the end."""

    index: int | None
    inserts: bool = False


@dataclass(frozen=True, slots=True)
class PhonePlaceChanged:
    """Whether the phone is known to be where the next action goes is different now."""

    is_elsewhere: bool


@dataclass(frozen=True, slots=True)
class RecordingState:
    """The recording changed its phase; ``reason`` is a sentence when no person asked for it."""

    phase: Phase
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RecorderNotice:
    """Something went wrong: one sentence on what, and what to do about it."""

    what: str
    to_do: str = ""


@dataclass(frozen=True, slots=True)
class EventRecorded:
    """A line was written to ``events.jsonl``."""

    kind: str
    line: Mapping[str, Any]


RecorderEvent = (
    StepCaptured
    | NextStateReady
    | StepCommitted
    | StepsChanged
    | RerecordArmed
    | PhonePlaceChanged
    | RecordingState
    | RecorderNotice
    | EventRecorded
)
