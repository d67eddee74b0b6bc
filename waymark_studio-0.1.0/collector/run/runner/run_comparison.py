"""Compare two runs of one experiment, each in a project of its own, episode by episode: are they the same?"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from collector.model.action import action_to_dict
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.run.cycle.episode_record import CYCLE_EVENT
from collector.run.cycle.phases import CyclePhase
from collector.run.runner.stored_episodes import StoredEpisode, finished_by_cell, read_episodes
from collector.store.project.project import Project
from collector.store.trajectory.interruptions import EVENT
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory

ACTION, DECISION, INJECTION, ANSWER, VALIDATION, OUTCOME = (
    "action", "decision", "injection", "answer", "validation", "outcome",
)  # fmt: skip
"""What is compared; a decision has the draws of its rules."""
_PHASES = {CyclePhase.DECIDE: DECISION, CyclePhase.INJECT: INJECTION, CyclePhase.VALIDATE: VALIDATION}
_OF_THE_MOMENT = ("t_ms", "wall_time", "ms", "state", "injection", "step", "phase", "number", "kind")
"""Keys of lines that name a time, a file or a random id."""


@dataclass(frozen=True, slots=True)
class EpisodeMismatch:
    """The first place where the two episodes of a cell differ in one respect."""

    cell: str
    what: str
    """One of the constants above."""
    number: int
    """Number of the step, from 1; 0 for the whole episode."""
    first: object
    second: object
    """None where an episode has no such step."""

    def __str__(self) -> str:
        values = {"what": self.what, "first": self.first, "second": self.second}
        if not self.number:
            return _("The {what} is {first}, and {second} in the other run", **values)
        return _(
            "Step {number}: the {what} is {first}, and {second} in the other run",
            number=self.number,
            **values,
        )


@dataclass(slots=True)
class ComparedRuns:
    """Two runs of an experiment, compared."""

    count: int = 0
    """Cells that both have finished."""
    mismatches: list[EpisodeMismatch] = field(default_factory=list)
    only_first: tuple[str, ...] = ()
    """Ids of the cells that the second run has not finished."""
    only_second: tuple[str, ...] = ()

    @property
    def are_same(self) -> bool:
        """Whether both have finished the same cells, each in the same way."""
        return not (self.mismatches or self.only_first or self.only_second)

    @property
    def different_cells(self) -> int:
        """Number of the cells that differ."""
        return len({mismatch.cell for mismatch in self.mismatches})


def compare_runs(first: Project, second: Project, experiment: str) -> ComparedRuns:
    """Compare the finished episodes of two runs; faults and attempts that they ended do not count.

    Raises UserError when one of the projects has no finished episode of the experiment.
    """
    episodes = [finished_by_cell(read_episodes(project, experiment)) for project in (first, second)]
    for project, finished in zip((first, second), episodes, strict=True):
        if not finished:
            raise UserError(
                _("{folder} has no finished episode of {experiment}",
                  folder=project.folder, experiment=experiment)
            )  # fmt: skip
    ours, theirs = episodes
    both = [cell for cell in ours if cell in theirs]
    compared = ComparedRuns(
        len(both),
        only_first=tuple(cell for cell in ours if cell not in theirs),
        only_second=tuple(cell for cell in theirs if cell not in ours),
    )
    for cell in both:
        compared.mismatches += _mismatches(cell, ours[cell], theirs[cell])
    return compared


def _mismatches(cell: str, first: StoredEpisode, second: StoredEpisode) -> Iterator[EpisodeMismatch]:
    """The first mismatch in each respect, the outcome first."""
    entries = [_entries(open_trajectory(episode.folder)) for episode in (first, second)]
    for what in (OUTCOME, ACTION, DECISION, INJECTION, ANSWER, VALIDATION):
        pairs = itertools.zip_longest(*(each[what] for each in entries), fillvalue=(0, None))
        for (number, ours), (other, theirs) in pairs:
            if ours != theirs or (number != other and None not in (ours, theirs)):
                yield EpisodeMismatch(cell, what, max(number, other), ours, theirs)
                break


def _entries(stored: StoredTrajectory) -> Mapping[str, list[tuple[int, Any]]]:
    """What is compared of an episode: for each respect the numbers of steps, and what was there."""
    entries: dict[str, list[tuple[int, Any]]] = {
        what: [] for what in (OUTCOME, ACTION, DECISION, INJECTION, ANSWER, VALIDATION)
    }
    outcome = stored.header.outcome
    if outcome is not None:
        entries[OUTCOME].append((0, (outcome.status, outcome.claimed, outcome.early_stop)))
    for step in stored.steps:
        if step.action is not None:
            entries[ACTION].append((step.index + 1, action_to_dict(step.action)))
    phases = {phase.value: what for phase, what in _PHASES.items()}
    for line in stored.events():
        if line.get("kind") == EVENT and "answer" in line:
            entries[ANSWER].append((int(line.get("step") or 0), (line.get("anomaly"), line["answer"])))
        elif line.get("kind") == CYCLE_EVENT and line.get("phase") in phases:
            values = {key: value for key, value in line.items() if key not in _OF_THE_MOMENT}
            entries[phases[str(line["phase"])]].append((int(line["number"]), values))
    return entries
