"""What a reader of a format hands over: trajectories and tasks, with their files still where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from collector.exchange.import_log import ImportLog
from collector.model.action import Action
from collector.model.task import Task
from collector.model.trajectory import GOLDEN
from collector.model.tree import Tree


@dataclass(slots=True)
class SourceStep:
    """One state of a source and the action filed with it. ``name`` is what the source calls it."""

    name: str
    screenshot: Path | None = None
    tree: Path | None = None
    action: Action | None = None
    package: str = ""
    activity: str = ""
    t_ms: int | None = None
    wall_time: str = ""
    intention: str = ""
    extra: dict[str, Any] = field(default_factory=dict)
    convert: Callable[[], Tree] | None = None
    """Reads the state's tree from ``tree``, when that is no dump; it is kept beside. Raises UserError."""


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
    """Name of its folder or file in the source; makes its id here, so that importing twice is noticed."""
    task: Task
    steps: list[SourceStep]
    kind: str = GOLDEN
    agent: str = ""
    condition: str = ""
    device: Mapping[str, Any] = field(default_factory=dict)
    events: list[SourceEvent] = field(default_factory=list)
    annotations: dict[str, Any] = field(default_factory=dict)
    """What the source's own annotator said: goes to ``annotations/imported.json``."""
    extra: dict[str, Any] = field(default_factory=dict)
    """Further keys of the source, for the header."""


@dataclass(slots=True)
class SourceTasks:
    """A list of tasks without trajectories."""

    name: str
    tasks: list[Task]


SourceItem = SourceTrajectory | SourceTasks


@dataclass(frozen=True, slots=True)
class Importer:
    """One format: how to tell it and how to read it."""

    id: str
    title: str
    detect: Callable[[Path], float]
    """How sure, 0 to 1, that a file or folder is of this format."""
    read: Callable[[Path, ImportLog], Iterator[SourceItem]]
    """Everything of this format at or below a path."""
