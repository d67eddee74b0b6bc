"""What a run says while it goes on: to the terminal, to a window in another process, and to its log.

Every event is a frozen value that JSON can hold; :func:`to_line` and :func:`from_line` convert it.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

_PRIVATE = "private"
"""Metadata of a field that no line has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEvent:
    """Base of all events; never instantiated."""

    kind: ClassVar[str] = ""
    time: str = ""
    """ISO 8601, UTC; the runner fills it in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunBegan(RunEvent):
    """The runner has planned the matrix and begins."""

    kind: ClassVar[str] = "run_began"
    experiment: str
    total: int
    done: int
    """Cells that earlier runs finished."""
    again: tuple[str, ...] = ()
    """Other cells that earlier runs finished, and that are run again, by id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunChanged(RunEvent):
    """The whole run: ``running``, ``paused`` or ``stopping``."""

    kind: ClassVar[str] = "run_changed"
    state: str
    reason: str = ""
    """Why, in a sentence, when no person asked for it, as when the disk is full."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerChanged(RunEvent):
    """A worker and its phone: ``starting``, ``ready``, ``restarting``, ``gone`` or ``closed``."""

    kind: ClassVar[str] = "worker_changed"
    worker: str
    state: str
    phone: str = ""
    """Name of the phone for a person."""
    serial: str = ""
    host: str = ""
    problem: str = ""
    """Why, in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeBegan(RunEvent):
    """A worker begins a cell."""

    kind: ClassVar[str] = "episode_began"
    worker: str
    cell: str
    """``Cell.id``."""
    task: str
    agent: str
    condition: str
    trajectory: str
    """Id of the run's trajectory."""
    budget: int
    attempt: int = 0
    instruction: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PhaseChanged(RunEvent):
    """The cycle of an episode is in another phase, see :mod:`collector.run.cycle.phases`."""

    kind: ClassVar[str] = "phase_changed"
    worker: str
    cell: str
    step: int
    """From 1; 0 before the first."""
    phase: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ScreenObserved(RunEvent):
    """The screen the next decision is about."""

    kind: ClassVar[str] = "screen_observed"
    worker: str
    cell: str
    step: int
    picture: bytes = b""
    """A small JPEG; empty when nobody is attached, or the screen gives no picture."""
    width: int = 0
    """Of the screen, in the pixels of actions."""
    height: int = 0
    package: str = ""
    activity: str = ""
    dialog: tuple[int, int, int, int] = ()  # type: ignore[assignment]
    """Bounds of an injected dialog: left, top, right, bottom; empty without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionPredicted(RunEvent):
    """What the agent answered, before it is executed."""

    kind: ClassVar[str] = "action_predicted"
    worker: str
    cell: str
    step: int
    thought: str = ""
    action: Mapping[str, Any] = field(default_factory=dict)
    """As :func:`collector.model.action.action_to_dict`."""
    caption: str = ""
    caption_parts: Sequence[Mapping[str, Any]] | None = None
    """As :func:`collector.model.message.to_json`, so that the caption is read in any language."""
    executes_in_ms: int = 0
    """How long the runner waits before it acts, so that people can see where."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone(RunEvent):
    """A step was executed and the screen came to rest."""

    kind: ClassVar[str] = "step_done"
    worker: str
    cell: str
    step: int
    timings_ms: Mapping[str, int] = field(default_factory=dict)
    person: str = ""
    """Who acted, when a person had taken over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnomalyChanged(RunEvent):
    """An injected anomaly: a transition of :mod:`collector.anomalies.events`."""

    kind: ClassVar[str] = "anomaly_changed"
    worker: str
    cell: str
    step: int
    anomaly: str
    transition: str
    answer: str = ""
    how: str = ""
    """How a dialog ended, as the companion app says it."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatesReached(RunEvent):
    """Essential states that are reached so far, of all the task has."""

    kind: ClassVar[str] = "states_reached"
    worker: str
    cell: str
    reached: tuple[str, ...] = ()
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ControlChanged(RunEvent):
    """Who moves: ``running``, ``paused``, ``taken_over`` or ``stopping``."""

    kind: ClassVar[str] = "control_changed"
    worker: str
    cell: str
    state: str
    person: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UserAsked(RunEvent):
    """The agent asks its user, and a person is to answer."""

    kind: ClassVar[str] = "user_asked"
    worker: str
    cell: str
    step: int
    question: str = ""
    is_open: bool = True
    """False once it was answered, or nobody did in time."""
    within_s: float = 0.0
    """How long it waits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeEnded(RunEvent):
    """A cell has its outcome, or an attempt ended by a fault of the infrastructure."""

    kind: ClassVar[str] = "episode_ended"
    worker: str
    cell: str
    trajectory: str
    status: str = ""
    """success, failure, uncompleted, or empty when no rule can judge."""
    reason: str = ""
    early_stop: bool = False
    infrastructure: str = ""
    stopped: bool = False
    """Whether people ended it, or the end of the run: ``infrastructure`` says who, and it is no fault."""
    will_retry: bool = False
    steps: int = 0
    seconds: float = 0.0
    cost: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class TextsHidden(RunEvent):
    """Texts turned out to be passwords: the runner masks them in what was said before, and tells nobody."""

    kind: ClassVar[str] = "texts_hidden"
    worker: str
    cell: str
    texts: tuple[str, ...] = field(repr=False, metadata={_PRIVATE: True})


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnded(RunEvent):
    """The runner ends: ``finished``, ``stopped`` by a person, or ``failed``."""

    kind: ClassVar[str] = "run_ended"
    how: str
    reason: str = ""


RUN_EVENTS: Mapping[str, type[RunEvent]] = {
    event.kind: event
    for event in (
        RunBegan, RunChanged, WorkerChanged, EpisodeBegan, PhaseChanged, ScreenObserved, ActionPredicted,
        StepDone, AnomalyChanged, StatesReached, ControlChanged, UserAsked, EpisodeEnded, RunEnded,
    )
}  # fmt: skip
"""By kind."""


def to_line(event: RunEvent) -> dict[str, Any]:
    """The event as JSON holds it, without what is private."""
    values = {
        item.name: getattr(event, item.name) for item in fields(event) if not item.metadata.get(_PRIVATE)
    }
    if isinstance(picture := values.get("picture"), bytes):
        values["picture"] = base64.b64encode(picture).decode("ascii")
    return {"kind": event.kind, **values}


def from_line(line: Mapping[str, Any]) -> RunEvent | None:
    """The event of a line; None for a kind of a later version. Raises ValueError for anything else."""
    known = RUN_EVENTS.get(str(line.get("kind")))
    if known is None:
        return None
    names = {item.name for item in fields(known)}
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in line.items()
        if name in names
    }
    if isinstance(values.get("picture"), str):
        values["picture"] = base64.b64decode(values["picture"])
    try:
        return known(**values)
    except TypeError as error:
        raise ValueError(f"event {known.kind!r} is incomplete: {error}") from None
