"""An experiment as frozen values: tasks x agents x conditions x modality x variations x seeds x repeats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.asking.user_choice import USUAL_USER, UserChoice
from collector.model.episode_text import BASELINE
from collector.model.geometry import Size
from collector.model.seeds import DEFAULT_SEED
from collector.rules.grammar.model import WAYMARK

ON_CLAIM, ON_SUCCESS = "claim", "success"
ENDS = (ON_CLAIM, ON_SUCCESS)
"""When an episode ends before its budget: when the agent says so, or as soon as the task is done (D-GARA)."""
DEFAULT_BUDGET = 15
DEFAULT_EARLY_STOP = 5
DEFAULT_RETRIES = 2
_ASKED = "offline "
"""Stands before the golden trajectory of an offline cell in its key."""


@dataclass(frozen=True, slots=True)
class AgentEntry:
    """An agent of an experiment."""

    id: str
    """Its name in the experiment and in every episode."""
    kind: str
    """Id of an :class:`collector.agents.kinds.AgentKind`."""
    options: Mapping[str, Any] = field(default_factory=dict)
    modalities: tuple[str, ...] = ()
    """Empty: those of the experiment that its kind can be run with."""


@dataclass(frozen=True, slots=True)
class PlannedInjection:
    """An anomaly that is injected at a step."""

    anomaly: str
    """Id in the project's library or a built-in one."""
    at: int
    """Before this step of the agent, counted from 1."""


@dataclass(frozen=True, slots=True)
class RunCondition:
    """What an episode meets: nothing, anomalies at steps, or anomalies by the project's rules."""

    id: str
    injections: tuple[PlannedInjection, ...] = ()
    rules: tuple[str, ...] | None = None
    """Ids of injection rules; empty for those of the task, or all; None for a condition without rules."""
    limit: int = 1
    """The most anomalies of an episode that rules inject."""
    buttons: int | None = None
    """1 or 2: the form of the anomaly's dialog with that many buttons; None for the declared one."""
    category: str = ""
    """For the window: one of D-GARA's five categories."""

    @property
    def is_baseline(self) -> bool:
        """Whether nothing is injected."""
        return not self.injections and self.rules is None


@dataclass(frozen=True, slots=True)
class PhoneChoice:
    """The phones an experiment is made for; options of ``waymark run`` replace them."""

    virtual: int = 0
    """How many virtual phones to start."""
    size: Size | None = None
    density: int | None = None
    serials: tuple[str, ...] = ()
    """Serials of connected phones, as adb lists them."""
    avd: str = ""
    """Name of the emulator's image whose copies are started; ``virtual`` is then not used."""
    count: int = 1
    """How many copies of ``avd``."""
    asks_permissions: bool = False
    """Whether apps of virtual phones ask for their permissions; else they have them."""


@dataclass(frozen=True, slots=True)
class StartStep:
    """A step of a trajectory where agents begin."""

    task: str
    """Id of the trajectory's task."""
    trajectory: str
    step: int
    """Counted from 1: the first one that the agent takes."""

    @property
    def text(self) -> str:
        """As files and cells have it: ``golden-1@3``."""
        return f"{self.trajectory}@{self.step}"


@dataclass(frozen=True, slots=True)
class AskedGolden:
    """A golden trajectory whose steps agents are asked offline."""

    task: str
    """Id of its task."""
    trajectory: str
    steps: int
    """How many questions it asks."""


@dataclass(frozen=True, slots=True)
class Cell:
    """One episode of the matrix. Two cells of an experiment never have the same key."""

    task: str
    agent: str
    condition: str
    modality: str
    variation: str = ""
    language: str = ""
    seed: int = 0
    repeat: int = 0
    goal_style: str = ""
    """A style of the task's rewordings, as in ``casual`` or ``casual:2``; empty for its own instruction."""
    start: str = ""
    """The step where the agent begins, as in ``golden-1@3``; empty for the beginning of the task."""
    offline: str = ""
    """Id of the golden trajectory whose steps are asked; empty for an attempt at the task on a phone."""

    @property
    def key(self) -> str:
        """The cell without seed and repeat, as ``Episode.cell`` keeps it."""
        parts: tuple[str, ...] = (
            self.task,
            self.agent,
            self.condition,
            self.modality,
            self.variation,
            self.language,
        )
        if self.goal_style:  # else the key of an episode stays what it was before there were styles
            parts = (*parts, self.goal_style)
        if self.start:
            parts = (*parts, self.start)
        if self.offline:
            parts = (*parts, f"{_ASKED}{self.offline}")
        return " / ".join(part or "-" for part in parts)

    @property
    def id(self) -> str:
        """The whole cell, unique in its experiment."""
        return f"{self.key} / {self.seed} / {self.repeat}"


def is_offline_cell(cell_id: str) -> bool:
    """Whether the cell of this ``Cell.id`` asks golden steps, and is no attempt at its task."""
    return f" / {_ASKED}" in cell_id


@dataclass(frozen=True, slots=True)
class Experiment:
    """An experiment whose file was read and whose selections were resolved against its project."""

    name: str
    tasks: tuple[str, ...]
    """Ids, in the order they are run."""
    agents: tuple[AgentEntry, ...]
    conditions: tuple[RunCondition, ...] = (RunCondition(BASELINE),)
    modalities: tuple[str, ...] = ()
    """Empty: the usual one of each agent."""
    variations: tuple[str, ...] = ("",)
    languages: tuple[str, ...] = ("",)
    goal_styles: tuple[str, ...] = ("",)
    starts: tuple[StartStep, ...] | None = None
    """Where agents begin; tasks without any are not run then. None: at the beginning of each task."""
    seeds: tuple[int, ...] = (DEFAULT_SEED,)
    repeats: int = 1
    budget: int = 0
    """The most steps of an episode; 0 takes the task's, or DEFAULT_BUDGET."""
    early_stop: int = DEFAULT_EARLY_STOP
    """Identical actions in a row after which an episode is stopped (ProBench); 0 for never."""
    retries: int = DEFAULT_RETRIES
    """Further attempts after a fault of the infrastructure."""
    semantics: str = WAYMARK
    ends: str = ON_CLAIM
    reset: str = ""
    """One of ``collector.model.task.RESETS``, applied before every episode; empty takes the task's."""
    phones: PhoneChoice = PhoneChoice()
    description: str = ""
    judges: tuple[str, ...] = ()
    """Names of the judges that judge each episode once it has ended, beside the rules, which always do."""

    user: UserChoice = USUAL_USER
    """Who answers an agent that asks."""
    offline: tuple[AskedGolden, ...] | None = None
    """The golden trajectories whose steps agents are asked; tasks without any are not run then. None: agents
    attempt the tasks on phones."""

    def agent(self, name: str) -> AgentEntry:
        """The agent of that id. Raises KeyError."""
        return {entry.id: entry for entry in self.agents}[name]

    def condition(self, name: str) -> RunCondition:
        """The condition of that id. Raises KeyError."""
        return {condition.id: condition for condition in self.conditions}[name]

    def starts_of(self, task: str) -> tuple[str, ...]:
        """Where agents begin at a task, as :attr:`Cell.start` has it; empty when it is not run."""
        if self.starts is None:
            return ("",)
        return tuple(start.text for start in self.starts if start.task == task)

    def goldens_of(self, task: str) -> tuple[str, ...]:
        """The golden trajectories of a task that are asked, as :attr:`Cell.offline` has them."""
        if self.offline is None:
            return ("",)
        return tuple(golden.trajectory for golden in self.offline if golden.task == task)

    @property
    def tasks_run(self) -> tuple[str, ...]:
        """Ids of the tasks that have cells: with starts, those of a start; offline, those with a golden."""
        return tuple(task for task in self.tasks if self.starts_of(task) and self.goldens_of(task))
