"""States, steps and trajectories."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.action import Action
from collector.model.app_data.collections import AppData
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.geometry import Rect, Size

_NO_SIZE = Size(0, 0)


@dataclass(frozen=True, slots=True)
class State:
    """One observed moment. File names are relative to the trajectory's folder."""

    screenshot: str = ""
    tree: str = ""
    package: str = ""
    activity: str = ""
    size: Size = _NO_SIZE
    rotation: int = 0
    sha256: Mapping[str, str] = field(default_factory=dict)
    """File name -> hex digest of exactly the bytes on disk."""
    source: Mapping[str, str] = field(default_factory=dict)
    """Sources: ``{"frame": "scrcpy", "tree": "uiautomator"}``. ``input`` is present when the action was not
    made in the mirror: ``getevent`` for input on the phone itself."""
    tree_age_ms: int | None = None
    """How much older than the touch the tree was; None without a tree or a measurement."""
    skew: float | None = None
    """Share of the screen, 0 to 1, that changed between the tree and the touch."""
    secure: bool = False
    problem: str = ""
    """One sentence on what could not be captured; empty when everything was."""
    apps: Mapping[str, bool] | None = None
    """How the phone's packages differ from TrajectoryHeader.installed: True for one that was added, False for
    one that is gone. None when the list was not read; see :func:`installed_apps`."""
    app_data: AppData | None = None
    """The collections of app data that are other than in the trajectory's ``app_data.json``; None when the
    phone did not say them."""


@dataclass(frozen=True, slots=True)
class Target:
    """The node an action landed on."""

    path: tuple[int, ...]
    bounds: Rect | None = None
    selectors: tuple[str, ...] = ()
    """Ranked, best first."""
    attributes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Step:
    """A state and the action taken in it. The final state of a trajectory is a step with no action."""

    index: int
    t_ms: int
    """Monotonic milliseconds since the trajectory began, at touch-down."""
    wall_time: str
    """ISO 8601, UTC; for people only, never for arithmetic."""
    state: State
    action: Action | None = None
    target: Target | None = None
    description: str = ""
    note: str = ""
    intention: str = ""
    redacted: bool = False
    agent: AgentTurn | None = None
    """What the agent said before the action; None for a person's step."""
    extra: Mapping[str, Any] = field(default_factory=dict)


TOOL = "tool"
"""Extra key of a step that no finger drew: ``pen`` or ``eraser``."""
GOLDEN = "golden"
RUN = "run"
UNFINISHED = "unfinished"
"""What a recording of a person is called that was not finished; it is no golden trajectory."""
RECORDING, FINISHED, RECOVERED, IMPORTED = "recording", "finished", "recovered", "imported"
"""Statuses of a trajectory. A recovered one was cut short, by a crash or by a phone that left."""


@dataclass(frozen=True, slots=True)
class TrajectoryHeader:
    """Contents of ``trajectory.json`` about the whole trajectory."""

    id: str
    task_id: str
    kind: str = GOLDEN
    who: str = ""
    status: str = RECORDING
    started: str = ""
    finished: str = ""
    duration_ms: int = 0
    device: Mapping[str, Any] = field(default_factory=dict)
    apps: Mapping[str, str] = field(default_factory=dict)
    """Package -> version name."""
    installed: tuple[str, ...] = ()
    """The packages on the phone when its list was read first; empty when it never was."""
    episode: Episode | None = None
    """Of a run: which agent tried, and under which condition."""
    outcome: Outcome | None = None
    """Of a run: how it ended."""
    software: Mapping[str, str] = field(default_factory=dict)
    instruction: str = ""
    note: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def density(self) -> int:
        """Dots per inch of the phone's screen; 0 when it is not known."""
        density = self.device.get("density")
        return density if isinstance(density, int) else 0

    @property
    def is_run(self) -> bool:
        """Whether an agent made the trajectory, and not a person."""
        return self.kind == RUN

    @property
    def is_offline(self) -> bool:
        """Whether an agent was asked the steps of a golden trajectory: no attempt at the task."""
        return self.episode is not None and bool(self.episode.offline)

    @property
    def is_golden(self) -> bool:
        """Whether a person recorded it to its end. Unfinished recordings are no golden trajectories."""
        return self.kind == GOLDEN and self.status in (FINISHED, IMPORTED)

    @property
    def shown_kind(self) -> str:
        """golden, run, or unfinished."""
        return UNFINISHED if self.kind == GOLDEN and not self.is_golden else self.kind


def installed_apps(header: TrajectoryHeader, state: State) -> frozenset[str] | None:
    """The packages on the phone at a state of the trajectory; None when they are not known."""
    if state.apps is None:
        return None
    gone = {package for package, is_there in state.apps.items() if not is_there}
    return frozenset(state.apps).union(header.installed) - gone


def apps_changed(installed: Collection[str], now: Collection[str]) -> dict[str, bool]:
    """The ``apps`` of a state: how the packages of ``now`` differ from those of the header."""
    before, after = set(installed), set(now)
    return {package: package in after for package in sorted(before ^ after)}


@dataclass(frozen=True, slots=True)
class Trajectory:
    """A header and its steps in order."""

    header: TrajectoryHeader
    steps: tuple[Step, ...] = ()

    @property
    def actions(self) -> tuple[Action, ...]:
        return tuple(step.action for step in self.steps if step.action is not None)
