"""Recordings made of dumps in memory, in the place of trajectories on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from collector.model.action import Action
from collector.model.app_data.collections import AppData
from collector.model.episode import Episode
from collector.model.trajectory import (
    GOLDEN,
    State,
    Step,
    Target,
    TrajectoryHeader,
    apps_changed,
)


@dataclass
class RecordedScreen:
    """One state and what was done in it."""

    xml: bytes
    action: Action | None = None
    target: Target | None = None
    package: str = "com.example.shop"
    activity: str = ".MainActivity"
    apps: Collection[str] | None = None
    app_data: AppData | None = None
    """All of it, not the difference from the first."""


@dataclass
class MemoryTrajectory:
    """As ``corpus.Recording``; ``read`` counts how often each dump was asked for."""

    task_id: str
    screens: Sequence[RecordedScreen]
    kind: str = GOLDEN
    who: str = "lin"
    agent: str = ""
    hashed: bool = True
    pictures: Sequence[bytes] = ()
    name: str = ""
    status: str = "finished"
    read: list[int] = field(default_factory=list)

    @property
    def header(self) -> TrajectoryHeader:
        name = self.name or f"{self.task_id}-{self.kind}"
        episode = Episode(agent=self.agent) if self.agent else None
        return TrajectoryHeader(name, self.task_id, self.kind, self.who, self.status, episode=episode)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        return tuple(self._step(index, screen) for index, screen in enumerate(self.screens))

    def tree(self, step: Step) -> bytes | None:
        self.read.append(step.index)
        return self.screens[step.index].xml

    def screenshot(self, step: Step) -> bytes | None:
        return self.pictures[step.index] if self.pictures else None

    def app_data(self, state: State) -> AppData | None:
        return state.app_data

    def _step(self, index: int, screen: RecordedScreen) -> Step:
        name = f"states/{index:04}.xml"
        sha = {name: hashlib.sha256(screen.xml).hexdigest()} if self.hashed else {}
        state = State(
            f"states/{index:04}.png" if self.pictures else "", name, screen.package, screen.activity,
            sha256=sha, apps=None if screen.apps is None else apps_changed((), screen.apps),
            app_data=screen.app_data,
        )  # fmt: skip
        return Step(index, index * 1000, "", state, screen.action, screen.target)
