"""What the recorder tells: captured, ready for the next, on disk, and what went wrong."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from collector.model.action import Action
from collector.model.trajectory import Step


class Phase(Enum):
    """Where a recording stands."""

    RECORDING = "recording"
    PAUSED = "paused"
    FINISHING = "finishing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class StepCaptured:
    """An action was recognised; its step is on its way to the disk. Told on the thread that acted."""

    action: Action
    t_ms: int
    input_source: str = ""
    """``getevent`` when it was done on the phone itself; empty for the mirror."""


@dataclass(frozen=True, slots=True)
class NextStateReady:
    """The screen came to rest (or did not, within the cap) and its tree is at hand."""

    nodes: int
    settle_ms: int
    in_time: bool


@dataclass(frozen=True, slots=True)
class StepCommitted:
    """A step is on the disk and survives anything."""

    step: Step


@dataclass(frozen=True, slots=True)
class StepsChanged:
    """Steps were undone, deleted, reworded, ...: ``steps`` is how they are now, ``title`` what was done."""

    title: str
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class RecordingState:
    """The recording changed phase; ``reason`` is a sentence when nobody asked for it."""

    phase: Phase
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RecorderNotice:
    """Something a person should know, in one sentence, and what to do about it."""

    what: str
    to_do: str = ""


@dataclass(frozen=True, slots=True)
class EventRecorded:
    """A line of ``events.jsonl`` that is no step is on the disk: its ``kind`` and all that it says."""

    kind: str
    line: Mapping[str, Any]


RecorderEvent = (
    StepCaptured
    | NextStateReady
    | StepCommitted
    | StepsChanged
    | RecordingState
    | RecorderNotice
    | EventRecorded
)
