"""What the reader of a format yields: trajectories, tasks, rules and variations of a source."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from collector.exchange.source.states import SourceStates
from collector.model.action import Action
from collector.model.episode import AgentTurn, Episode, Outcome
from collector.model.essential_state import EssentialState
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, Target
from collector.model.tree import Tree
from collector.model.verdicts.judgement import Judgement


@dataclass(slots=True)
class SourceStep:
    """A state of the source and the action recorded with it; ``name`` is the name the source has for it."""

    name: str
    screenshot: Path | None = None
    tree: Path | None = None
    action: Action | None = None
    package: str = ""
    activity: str = ""
    t_ms: int | None = None
    wall_time: str = ""
    intention: str = ""
    agent: AgentTurn | None = None
    """What the agent said before the action."""
    extra: dict[str, Any] = field(default_factory=dict)
    has_apps: bool = False
    """Whether the packages that the trajectory has as ``installed`` were on the phone at this state."""
    convert: Callable[[], Tree] | None = None
    """Read the tree from the file ``tree`` when that is no dump; the file is kept. Raises UserError."""
    note: str = ""
    description: str = ""
    """Empty for the caption that is made of the action and the tree."""
    target: Target | None = None
    """None for the node that is found at the place of the action."""


@dataclass(slots=True)
class SourceEvent:
    """A line for ``events.jsonl``."""

    kind: str
    t_ms: int = 0
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class SourceTrajectory:
    """One trajectory of a source, before anything is written."""

    name: str
    """Name of its folder or file in the source. Its id is made from it, so a second import is noticed."""
    task: Task
    steps: list[SourceStep]
    kind: str = GOLDEN
    format: str = ""
    """Id of its own format, when a reader of several formats yields it."""
    episode: Episode | None = None
    """Of a run: the agent and the condition, as far as the source says."""
    outcome: Outcome | None = None
    """Of a run: how it ended, as far as the source says."""
    judgements: list[Judgement] = field(default_factory=list)
    """Verdicts of the source's judges."""
    software: Mapping[str, str] = field(default_factory=dict)
    """Name -> version of the programs that recorded it, as far as the source says."""
    started: str = ""
    """ISO 8601, UTC; empty when the source does not say."""
    device: Mapping[str, Any] = field(default_factory=dict)
    apps: Mapping[str, str] = field(default_factory=dict)
    """Package -> version name, as far as the source says."""
    who: str = ""
    """Who recorded it, as far as the source says."""
    note: str = ""
    installed: tuple[str, ...] = ()
    """Packages on the phone at the states that say so."""
    events: list[SourceEvent] = field(default_factory=list)
    annotations: dict[str, Any] = field(default_factory=dict)
    """What the annotator of the source said; written to ``annotations/imported.json``."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Other keys of the source, for the header."""
    states: SourceStates | None = None
    """Essential states of its task that the source gives with conditions."""


@dataclass(slots=True)
class SourceTasks:
    """A list of tasks without trajectories. Their ``essential_states`` are sentences, as in every source."""

    name: str
    tasks: list[Task]


def in_sentences(task: Task, states: Mapping[str, EssentialState]) -> Task:
    """A task of a project as a source has it: with the sentences of its essential states for their ids."""
    sentences = (states[name].sentence or name if name in states else name for name in task.essential_states)
    return replace(task, essential_states=tuple(sentences))


LIBRARY = "library"


@dataclass(slots=True)
class SourceRules:
    """A YAML file of rules or anomalies that a project reads as it is."""

    name: str
    kind: str
    """A kind of rule (injection, success, state), or ``LIBRARY``."""
    path: Path


@dataclass(slots=True)
class SourceVariation:
    """A variation of the virtual phone; ``text`` is its file."""

    name: str
    text: str


SourceItem = SourceTrajectory | SourceTasks | SourceRules | SourceVariation
