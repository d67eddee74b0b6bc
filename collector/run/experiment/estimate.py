"""How large an experiment is, and how long and how dear a run of it will be."""

from __future__ import annotations

import bisect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from collector.agents.kinds import AgentKind
from collector.model.task import Task
from collector.run.experiment.matrix import modalities_of
from collector.run.experiment.model import DEFAULT_BUDGET, AgentEntry, Experiment
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import CatalogueRow

_RESET_S = 1.5
"""Seconds between two episodes, before they were measured: reset, first screen, verdict."""
_FEWEST_GAPS, _LONGEST_GAP_S = 3, 60.0
_STEP_OVERHEAD_S = 0.35
"""Seconds of a step beside the agent's answer: screen, action, settling."""
_SHARE_OF_BUDGET = 0.7
"""Of its budget an episode takes this share, before anything was measured."""
_MOST_MEASURED = 2000


@dataclass(frozen=True, slots=True)
class MeasuredEpisodes:
    """What earlier episodes of an agent took."""

    count: int
    seconds: float
    """Of an episode with its reset, in the median."""
    cost: float
    """USD of an episode, on the mean."""


Measured = Mapping[tuple[str, str], MeasuredEpisodes]
"""By id of the agent and id of the task; with an empty task those of all tasks."""


@dataclass(frozen=True, slots=True)
class AgentEstimate:
    """The part of one agent."""

    agent: str
    episodes: int
    seconds: float
    """On one phone."""
    cost: float
    measured: int
    """How many episodes the numbers are taken from; 0 for the kind's own figures."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The size of a run, and what it will take."""

    episodes: int
    steps: int
    """At most, when every episode uses up its budget."""
    seconds: float
    """On all phones at a time."""
    cost: float
    """USD."""
    phones: int
    agents: tuple[AgentEstimate, ...] = ()


def budget_of(experiment: Experiment, task: Task | None) -> int:
    """The most steps of an episode: the experiment's, the task's, or the usual ones."""
    return experiment.budget or (task.max_steps if task is not None else 0) or DEFAULT_BUDGET


def estimate(
    experiment: Experiment,
    kinds: Mapping[str, AgentKind],
    tasks: Mapping[str, Task],
    phones: int = 0,
    measured: Measured | None = None,
) -> Estimate:
    """Estimate a run of all cells on so many phones; 0 takes those of the experiment."""
    count = max(phones or phone_count(experiment), 1)
    parts = [_of_agent(experiment, entry, kinds, tasks, measured or {}) for entry in experiment.agents]
    per_task = sum(part.episodes for part in parts) // max(len(experiment.tasks), 1)
    steps = sum(budget_of(experiment, tasks.get(task)) for task in experiment.tasks) * per_task
    episodes = sum(part.episodes for part in parts)
    seconds = sum(part.seconds for part in parts) / min(count, max(episodes, 1))
    return Estimate(episodes, steps, seconds, sum(part.cost for part in parts), count, tuple(parts))


def phone_count(experiment: Experiment) -> int:
    """How many phones the experiment is made for; 1 when it names none."""
    phones = experiment.phones
    return len(phones.serials) or (phones.count if phones.avd else phones.virtual) or 1


def _of_agent(
    experiment: Experiment,
    entry: AgentEntry,
    kinds: Mapping[str, AgentKind],
    tasks: Mapping[str, Task],
    measured: Measured,
) -> AgentEstimate:
    kind = kinds.get(entry.kind)
    step_s = (kind.step_s if kind is not None else 1.0) + _STEP_OVERHEAD_S
    step_cost = kind.step_cost if kind is not None else 0.0
    per_task = (
        len(modalities_of(experiment, entry, kinds))
        * len(experiment.conditions)
        * len(experiment.variations)
        * len(experiment.languages)
        * len(experiment.seeds)
        * experiment.repeats
    )
    seconds = cost = 0.0
    overall = measured.get((entry.id, ""))
    for task in experiment.tasks:
        known = measured.get((entry.id, task)) or overall
        steps = budget_of(experiment, tasks.get(task)) * _SHARE_OF_BUDGET
        seconds += per_task * (known.seconds if known is not None else steps * step_s + _RESET_S)
        cost += per_task * (known.cost if known is not None else steps * step_cost)
    count = overall.count if overall is not None else 0
    return AgentEstimate(entry.id, per_task * len(experiment.tasks), seconds, cost, count)


def seconds_between(rows: Iterable[CatalogueRow]) -> float:
    """Seconds between two episodes on one phone, in the median of earlier runs: verdict, reset, first screen.

    No row says on which phone it ran: the one that was free last is taken for it. A long time without
    episodes lies between two runs.
    """
    gaps, free = list[float](), list[float]()
    for began, seconds in sorted(filter(None, map(_began, rows))):
        ready = [end for end in free if end <= began]
        if ready:
            free.remove(ready[-1])
            if (gap := began - ready[-1]) <= _LONGEST_GAP_S:
                gaps.append(gap)
        bisect.insort(free, began + seconds)
    return median(gaps) if len(gaps) >= _FEWEST_GAPS else _RESET_S


def _began(row: CatalogueRow) -> tuple[float, float] | None:
    """When a run began, in seconds since the epoch, and how long it took."""
    try:
        return datetime.fromisoformat(row.started).timestamp(), row.duration_ms / 1000
    except ValueError:
        return None


def measured_episodes(catalogue: Catalogue, agents: Iterable[str]) -> dict[tuple[str, str], MeasuredEpisodes]:
    """What earlier episodes of agents took, those that a fault ended left out."""
    measured = {}
    between = seconds_between(catalogue.find("kind:run experiment:any", limit=_MOST_MEASURED))
    for agent in agents:
        by_task: dict[str, list[tuple[float, float]]] = {"": []}
        query = f'kind:run infrastructure:no outcome:any agent:"={agent}"'
        for row in catalogue.find(query, limit=_MOST_MEASURED):
            if row.duration_ms:
                values = (row.duration_ms / 1000 + between, row.cost or 0.0)
                by_task[""].append(values)
                by_task.setdefault(row.task, []).append(values)
        for task, episodes in by_task.items():
            if episodes:
                seconds, costs = zip(*episodes, strict=True)
                measured[agent, task] = MeasuredEpisodes(len(costs), median(seconds), sum(costs) / len(costs))
    return measured
