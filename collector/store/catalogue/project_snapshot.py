"""What a list of a project's tasks and trajectories shows, read in one go and never changed afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from collector.model.essential_state import EssentialState
from collector.model.finding import Finding
from collector.model.task import Task
from collector.model.trajectory import GOLDEN, UNFINISHED
from collector.model.verdicts.state_progress import StateProgress
from collector.store.catalogue.catalogue import Catalogue, Progress
from collector.store.catalogue.catalogue_row import CatalogueRow
from collector.store.project.project import Project

RECENT = 24
"""Number of trajectories a snapshot carries; ask the catalogue for more."""


@dataclass(frozen=True, slots=True)
class ProjectSnapshot:
    """A project at one moment; a newer snapshot replaces it whole."""

    folder: Path
    name: str
    trusted: bool
    tasks: tuple[Task, ...]
    golden: dict[str, int]
    """Task id -> number of golden trajectories."""
    counts: dict[str, int]
    """``golden`` and ``run`` -> number of trajectories of people and of agents, finished or not."""
    recent: tuple[CatalogueRow, ...]
    changed: dict[str, str] = field(default_factory=dict)
    """Task id -> when its newest trajectory began or, if that is not known, was imported; ISO 8601."""
    damaged: dict[str, str] = field(default_factory=dict)
    """Task id -> the first problem of its newest golden trajectory that has one."""
    reviews: dict[str, str] = field(default_factory=dict)
    """Task id -> the review status of its golden trajectories, if they all have the same."""
    states: Mapping[str, EssentialState] = field(default_factory=dict)
    """The essential states of the project by id."""
    runs: dict[str, int] = field(default_factory=dict)
    """Task id -> number of runs of agents."""
    findings: tuple[Finding, ...] = ()
    """What is known without a check: damaged files, and what golden trajectories say of their states."""
    state_progress: Mapping[str, StateProgress] = field(default_factory=dict)
    """Task id -> how far its essential states are; empty until rules and verdicts were compared."""
    is_read_only: bool = False
    """Whether this account may only read the project."""
    is_read: bool = True
    """Whether the files were looked at; before that it holds what the catalogue knew, perhaps nothing."""

    @property
    def knows_trajectories(self) -> bool:
        """Whether its numbers of trajectories say something: not before a new catalogue was filled."""
        return self.is_read or bool(self.counts)

    @property
    def kinds(self) -> dict[str, int]:
        """``golden``, ``run`` and ``unfinished`` -> number of trajectories; their sum is all there are."""
        golden = sum(self.golden.values())
        return {**self.counts, GOLDEN: golden, UNFINISHED: self.counts.get(GOLDEN, 0) - golden}

    def task(self, task_id: str) -> Task | None:
        """The task with this id, or None."""
        return next((task for task in self.tasks if task.id == task_id), None)


def read_snapshot(
    project: Project, *, refresh: bool = True, progress: Progress | None = None
) -> ProjectSnapshot:
    """Read the catalogue of a project; with ``refresh`` look at its files for changes first.

    ``progress`` may raise to stop.
    """
    if refresh:
        project.reload_settings()
        project.reload()
    with Catalogue(project) as catalogue:
        if refresh:
            catalogue.refresh(progress)
        else:
            catalogue.refresh_tasks()
        summary = catalogue.summary()
        rows = catalogue.find(limit=RECENT)
    return ProjectSnapshot(
        project.folder,
        project.name,
        project.trusted,
        tuple(project.tasks),
        summary.golden,
        summary.kinds,
        tuple(rows),
        summary.newest,
        summary.troubled,
        summary.reviews,
        states=project.states,
        runs=summary.runs,
        findings=(*project.damage, *summary.findings),
        is_read_only=project.is_read_only,
        is_read=refresh,
    )
