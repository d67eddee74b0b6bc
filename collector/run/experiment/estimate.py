"""How large an experiment is, and how long and how dear a run of it will be."""

from __future__ import annotations

import bisect
import heapq
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from collector.agents.kinds import AgentKind
from collector.model.episode_text import BASELINE
from collector.model.task import Task
from collector.model.trajectory import FINISHED
from collector.run.experiment.matrix import modalities_of
from collector.run.experiment.model import DEFAULT_BUDGET, Cell, Experiment
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.catalogue_row import CatalogueRow

_RESET_S = 1.5
"""Seconds between two episodes where fewer were measured: reset, first screen, verdict."""
_FEWEST_GAPS, _LONGEST_GAP_S = 3, 60.0
_MOST_MEASURED = 2000
_LOADING_S, _AGENT_START_S = 1.5, 0.5
"""Seconds until a runner and its workers are loaded, and until an agent was started once."""
_PHONE_START_S = {"virtual": 2.5, "avd": 40.0, "serials": 1.0}
"""Seconds until phones are ready, which start at the same time."""
OFFLINE_WORKERS = 8
"""How many golden steps are asked at a time, where nothing else is said."""
_ONE_BY_ONE = 100
"""Up to so many episodes a phone are given out one by one; of more the end makes no difference."""
Group = tuple[str, str, str]
"""Ids of an agent, a condition and a task; the last two are empty for all of them."""


@dataclass(frozen=True, slots=True)
class MeasuredEpisodes:
    """What earlier episodes of an agent took."""

    count: int
    seconds: float
    """Of an episode with its reset, on the mean, and with its share of the attempts that faults ended."""
    cost: float
    """USD of an episode, on the mean."""


Measured = Mapping[Group, MeasuredEpisodes]


@dataclass(frozen=True, slots=True)
class AgentEstimate:
    """The part of one agent."""

    agent: str
    episodes: int
    seconds: float | None
    """On one phone; None before an episode of it was measured."""
    cost: float
    """USD; before an episode was measured the most that the kind's own figure allows."""
    measured: int
    """How many episodes the numbers are taken from."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The size of a run, and what it will take."""

    episodes: int
    steps: int
    """At most, when every episode uses up its budget."""
    seconds: float | None
    """On all phones at a time, until they and the agents have started included; None while one of the agents
    was not measured."""
    cost: float
    """USD."""
    phones: int
    agents: tuple[AgentEstimate, ...] = ()
    start_s: float = 0.0
    """Of :attr:`seconds` those before the first episode."""

    @property
    def is_cost_at_most(self) -> bool:
        """Whether the cost is the most it can be: one of the agents was not measured."""
        return self.seconds is None

    def seconds_of(self, share: float) -> float | None:
        """Seconds of a run of a share of the episodes, 0 to 1; None where they are not known."""
        if self.seconds is None:
            return None
        return self.start_s + (self.seconds - self.start_s) * share


def budget_of(experiment: Experiment, task: Task | None) -> int:
    """The most steps of an episode: the experiment's, the task's, or the usual ones."""
    return experiment.budget or (task.max_steps if task is not None else 0) or DEFAULT_BUDGET


def _steps_of(experiment: Experiment, task_id: str, task: Task | None) -> float:
    """Steps of an episode: at most its budget; offline those of its golden trajectories, on average."""
    if experiment.offline is None:
        return budget_of(experiment, task)
    asked = [golden.steps for golden in experiment.offline if golden.task == task_id]
    return sum(asked) / len(asked) if asked else 0.0


def estimate(
    experiment: Experiment,
    kinds: Mapping[str, AgentKind],
    tasks: Mapping[str, Task],
    phones: int = 0,
    measured: Measured | None = None,
    left: Mapping[Group, int] | None = None,
) -> Estimate:
    """Estimate a run on so many phones; 0 takes those of the experiment.

    ``left`` has how many episodes of which agent, condition and task are to be run; by default all cells.
    """
    count = max(phones or phone_count(experiment), 1)
    counts = _all_groups(experiment, kinds) if left is None else left
    groups = {group: _of_group(experiment, group, kinds, tasks, measured or {}) for group in counts}
    parts = []
    for entry in experiment.agents:
        own = [(counts[group], *groups[group]) for group in counts if group[0] == entry.id]
        known = (measured or {}).get((entry.id, "", ""))
        parts.append(
            AgentEstimate(
                entry.id,
                sum(number for number, _seconds, _cost in own),
                _sum((number, seconds) for number, seconds, _cost in own),
                sum(number * cost for number, _seconds, cost in own),
                known.count if known is not None else 0,
            )
        )
    steps = sum(
        round(number * _steps_of(experiment, task, tasks.get(task)))
        for (*_of, task), number in counts.items()
    )
    start_s = _start_s(experiment, sum(part.episodes > 0 for part in parts))
    timed = _known((counts[group], seconds) for group, (seconds, _cost) in groups.items())
    seconds = None if timed is None else start_s + _on_phones(timed, count)
    episodes, cost = sum(part.episodes for part in parts), sum(part.cost for part in parts)
    return Estimate(episodes, steps, seconds, cost, count, tuple(parts), start_s)


def groups_of(left: Iterable[Cell]) -> dict[Group, int]:
    """How many of some cells there are of each agent, condition and task."""
    return Counter((cell.agent, cell.condition, cell.task) for cell in left)


def phone_count(experiment: Experiment) -> int:
    """How many phones the experiment is made for; 1 when it names none. Offline how many steps are asked at a
    time."""
    phones = experiment.phones
    if experiment.offline is not None:
        return OFFLINE_WORKERS
    return len(phones.serials) or (phones.count if phones.avd else phones.virtual) or 1


def _start_s(experiment: Experiment, agents: int) -> float:
    """Seconds until the first episode begins; every agent is started once before it."""
    phones = experiment.phones
    kind = "serials" if phones.serials else "avd" if phones.avd else "virtual"
    phones_s = 0.0 if experiment.offline is not None else _PHONE_START_S[kind]
    return _LOADING_S + agents * _AGENT_START_S + phones_s


def _sum(groups: Iterable[tuple[int, float | None]]) -> float | None:
    """Seconds of so many episodes of each group; None when those of one are not known."""
    known = _known(groups)
    return None if known is None else sum(number * seconds for number, seconds in known)


def _known(groups: Iterable[tuple[int, float | None]]) -> list[tuple[int, float]] | None:
    """The groups that have episodes; None when the seconds of one are not known."""
    with_episodes = [(count, seconds) for count, seconds in groups if count]
    known = [(count, seconds) for count, seconds in with_episodes if seconds is not None]
    return known if len(known) == len(with_episodes) else None


def _on_phones(groups: list[tuple[int, float]], phones: int) -> float:
    """Seconds until the last phone is done: each takes the next episode as soon as it is free."""
    total, number = sum(count * seconds for count, seconds in groups), sum(count for count, _s in groups)
    if number > _ONE_BY_ONE * phones:
        return total / phones
    free = [0.0] * phones
    for turn in range(max((count for count, _seconds in groups), default=0)):
        for count, seconds in groups:
            if turn < count:
                heapq.heapreplace(free, free[0] + seconds)
    return max(free)


def _all_groups(experiment: Experiment, kinds: Mapping[str, AgentKind]) -> dict[Group, int]:
    others = (
        len(experiment.variations) * len(experiment.languages) * len(experiment.goal_styles)
        * len(experiment.seeds) * experiment.repeats
    )  # fmt: skip
    return {
        (entry.id, condition.id, task): others
        * len(experiment.starts_of(task))
        * len(experiment.goldens_of(task))
        * len(modalities_of(experiment, entry, kinds))
        for task in experiment.tasks
        for entry in experiment.agents
        for condition in experiment.conditions
    }


def _of_group(
    experiment: Experiment, group: Group, kinds: Mapping[str, AgentKind], tasks: Mapping[str, Task],
    measured: Measured,
) -> tuple[float | None, float]:  # fmt: skip
    """Seconds and cost of one episode: of the same agent, condition and task, as far as these are known.

    Before one was measured nobody knows its seconds, and it costs at most what all steps of its budget do.
    """
    agent, condition, task = group
    for known in ((condition, task), (condition, ""), ("", task), ("", "")):
        if (found := measured.get((agent, *known))) is not None:
            return found.seconds, found.cost
    entry = next((entry for entry in experiment.agents if entry.id == agent), None)
    kind = kinds.get(entry.kind) if entry is not None else None
    steps = _steps_of(experiment, task, tasks.get(task))
    return None, steps * (kind.step_cost if kind is not None else 0.0)


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


def measured_episodes(
    catalogue: Catalogue, agents: Iterable[str], *, offline: bool = False
) -> dict[Group, MeasuredEpisodes]:
    """What earlier episodes of agents took, on phones or ``offline``.

    Attempts that a fault ended take time, but finish no episode.
    """
    which = "offline:any" if offline else "offline:none"
    rows_of_runs = catalogue.find(f"kind:run experiment:any {which}", limit=_MOST_MEASURED)
    between = 0.0 if offline else seconds_between(rows_of_runs)
    sums: dict[Group, list[float]] = {}
    for agent in agents:
        for row in catalogue.find(f'kind:run {which} agent:"={agent}"', limit=_MOST_MEASURED):
            has_outcome = row.status == FINISHED if offline else bool(row.outcome)
            is_finished = has_outcome and not row.infrastructure
            if not row.duration_ms or not (is_finished or row.infrastructure):
                continue
            condition = row.condition or BASELINE
            for group in ((condition, row.task), (condition, ""), ("", row.task), ("", "")):
                so_far = sums.setdefault((agent, *group), [0, 0.0, 0.0])
                so_far[0] += is_finished
                so_far[1] += row.duration_ms / 1000 + between
                so_far[2] += row.cost or 0.0
    return {
        group: MeasuredEpisodes(int(count), seconds / count, cost / count)
        for group, (count, seconds, cost) in sums.items()
        if count
    }
