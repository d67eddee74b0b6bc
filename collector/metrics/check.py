"""Recompute the papers' numbers from a project's files, one episode at a time, and compare.

Neither the catalogue nor columns of numbers are used: what differs is a fault in one of both ways.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from collector.judge.registry import RULES_JUDGE
from collector.metrics.breakdowns.dimensions import DIMENSIONS
from collector.metrics.loading import load_episodes
from collector.metrics.measures.registry import MEASURES
from collector.metrics.needed_states import NeededState, count_states, needed_states, verdict_by_labels
from collector.metrics.pivot import pivot
from collector.model.episode import ACTING_PERSON, Episode, Outcome
from collector.model.errors import UserError
from collector.model.trajectory import RECORDING, RECOVERED, TrajectoryHeader
from collector.model.verdicts.judgement import (
    MISSED,
    PERSON,
    REACHED,
    STATE,
    STEP,
    SUCCESS,
    TASK,
    UNCOMPLETED,
)
from collector.model.verdicts.voted_subject import voted_subjects
from collector.rules.evaluation.task_states import TaskStates
from collector.store.catalogue.catalogue import Catalogue
from collector.store.catalogue.episode_counting import started_ms, tie_of
from collector.store.project.project import Project
from collector.store.trajectory.interruptions import noted_anomalies
from collector.store.trajectory.judgements import read_judgements
from collector.store.trajectory.reader import StoredTrajectory, open_trajectory
from collector.store.trajectory.reviews.label_judgements import judgements_that_count
from collector.store.trajectory.reviews.labels import read_all_labels

CHECKED = ("sr", "rsr", "esar", "uncompleted", "early-stop")
"""Ids of the measures that are recomputed."""
_NO_EPISODE, _NO_OUTCOME = Episode(), Outcome()
Count = tuple[int, int]
"""What a rate counts: hits, and of how many."""


@dataclass(frozen=True, slots=True)
class CheckedNumber:
    """One number of an agent under a condition, both ways."""

    measure: str
    agent: str
    condition: str
    from_files: Count
    from_catalogue: Count

    @property
    def agrees(self) -> bool:
        return self.from_files == self.from_catalogue


@dataclass(frozen=True, slots=True)
class MetricsCheck:
    """Every number that was recomputed, and what could not be read."""

    numbers: tuple[CheckedNumber, ...] = ()
    episodes: int = 0
    """Runs that were read."""
    faults: int = 0
    """Runs that a fault of the machine ended."""
    damaged: tuple[str, ...] = ()
    """One sentence for each trajectory that cannot be read: no number has it."""

    @property
    def differences(self) -> tuple[CheckedNumber, ...]:
        return tuple(number for number in self.numbers if not number.agrees)


@dataclass(slots=True)
class _PlainEpisode:
    """One run, as its files have it."""

    header: TrajectoryHeader
    status: str
    """As it was recorded; where that is empty, what people say."""
    reached: int
    judged: int
    is_met: bool
    is_helped: bool

    @property
    def episode(self) -> Episode:
        return self.header.episode or _NO_EPISODE

    @property
    def outcome(self) -> Outcome:
        return self.header.outcome or _NO_OUTCOME

    @property
    def is_ended(self) -> bool:
        """Whether it ended by itself: nobody stopped it, no fault ended it, no person helped."""
        status = self.header.status
        is_whole = status not in (RECORDING, RECOVERED) or self.header.outcome is not None
        is_attempt = is_whole and not self.header.is_offline
        return is_attempt and not (self.outcome.stopped or self.outcome.infrastructure or self.is_helped)

    @property
    def is_fault(self) -> bool:
        return bool(self.outcome.infrastructure) and not self.outcome.stopped

    @property
    def is_counted(self) -> bool:
        return self.is_ended and bool(self.status)

    @property
    def is_interrupted(self) -> bool:
        return bool(self.episode.condition) or self.is_met

    @property
    def group(self) -> tuple[str, str]:
        return _stored(self.episode.agent), _stored(self.episode.condition)

    @property
    def unit(self) -> tuple[object, ...]:
        """What its baseline has in common with it."""
        own = self.episode
        texts = (
            self.header.task_id, own.agent, own.model, own.prompt, own.modality, own.variation, own.language,
            own.goal_style, own.start,
        )  # fmt: skip
        return (*map(_stored, texts), own.seed, own.repeat)


def _stored(text: str) -> str:
    """``text`` as a database can hold it: half a surrogate pair, which JSON can have, becomes ``?``."""
    return text.encode(errors="replace").decode()


@dataclass(slots=True)
class _PlainCounts:
    """The counts of one agent under one condition."""

    by_measure: dict[str, list[int]] = field(default_factory=lambda: {name: [0, 0] for name in CHECKED})

    def add(self, measure: str, hits: int, of: int = 1) -> None:
        counts = self.by_measure[measure]
        counts[0] += hits
        counts[1] += of

    def of(self, measure: str) -> Count:
        hits, of = self.by_measure[measure]
        return hits, of


def check_metrics(project: Project, catalogue: Catalogue | None = None) -> MetricsCheck:
    """Recompute :data:`CHECKED` of every agent under every condition, and compare with the columns.

    Raises StoreError when the catalogue cannot be opened; a damaged trajectory is only reported.
    """
    damaged: list[str] = []
    episodes = list(_read_episodes(project, damaged))
    from_files = _count(episodes)
    from_catalogue = _counts_of_columns(project, catalogue)
    groups = sorted({*from_files, *(key[:2] for key in from_catalogue)})
    numbers = []
    for agent, condition in groups:
        counts = from_files.get((agent, condition), _PlainCounts())
        for measure in CHECKED:
            other = from_catalogue.get((agent, condition, measure), (0, 0))
            numbers.append(CheckedNumber(measure, agent, condition, counts.of(measure), other))
    faults = sum(episode.is_fault for episode in episodes)
    return MetricsCheck(tuple(numbers), len(episodes), faults, tuple(damaged))


# -- from the files ----------------------------------------------------------
def _read_episodes(project: Project, damaged: list[str]) -> Iterator[_PlainEpisode]:
    of_project = TaskStates(project.states.values(), project.tasks)
    needed = {task.id: needed_states(task, of_project, project.states) for task in project.tasks}
    for folder in project.trajectory_folders():
        try:
            stored = open_trajectory(folder)
        except UserError as error:
            damaged.append(f"{folder.parent.name}/{folder.name}: {error}")
            continue
        if stored.header.is_run:
            yield _plain_episode(stored, needed.get(stored.header.task_id, ()))


def _plain_episode(stored: StoredTrajectory, needed: tuple[NeededState, ...]) -> _PlainEpisode:
    header = stored.header
    outcome = header.outcome or _NO_OUTCOME
    by_rules, by_people, task_by_people, is_task_judged = _state_verdicts(stored.folder)
    status = outcome.status or task_by_people
    if not status and by_people is not None and not is_task_judged:
        status = verdict_by_labels(needed, *by_people, is_claimed=bool(outcome.claimed))
    reached, judged = count_states(needed, [by_rules, by_people or ((), ())])
    is_met = bool(stored.interruptions() or noted_anomalies(header))
    helped = any(step.action is not None and step.extra.get(ACTING_PERSON) for step in stored.steps)
    return _PlainEpisode(header, status, reached, judged, is_met, helped)


def _state_verdicts(
    folder: Path,
) -> tuple[tuple[list[str], list[str]], tuple[list[str], list[str]] | None, str, bool]:
    """Reached and missed states of the rules, those of people as a whole, and what these say of the task.

    Last whether a person judged the task, undecided or not: its states say nothing of it then.
    """
    stored = read_judgements(folder)
    given = judgements_that_count(stored, read_all_labels(folder).values()).values()
    is_task_judged = any(subject.kind == TASK for subject in stored.settled()) or any(
        item.kind == PERSON and item.subject.kind == TASK for item in given
    )
    by_rules: dict[str, list[str]] = {REACHED: [], MISSED: []}
    by_people: dict[str, list[str]] = {REACHED: [], MISSED: []}
    on_task, has_people = "", any(subject.kind != STEP for subject in stored.settled())
    for subject in voted_subjects("", "", given, stored.settled()):
        has_people = has_people or bool(subject.people)
        if subject.kind == TASK:
            on_task = subject.people_say
        elif subject.kind == STATE:
            for verdict, states in (
                (subject.votes.get(RULES_JUDGE), by_rules),
                (subject.people_say, by_people),
            ):
                if verdict in states:
                    states[verdict].append(subject.state)
    people = (by_people[REACHED], by_people[MISSED]) if has_people else None
    return (by_rules[REACHED], by_rules[MISSED]), people, on_task, is_task_judged


def _count(episodes: Iterable[_PlainEpisode]) -> dict[tuple[str, str], _PlainCounts]:
    known = list(episodes)
    baselines = _baselines(known)
    groups: dict[tuple[str, str], _PlainCounts] = {}
    for episode in known:
        counts = groups.setdefault(episode.group, _PlainCounts())
        if episode.is_ended and episode.judged:
            counts.add("esar", episode.reached, episode.judged)
        if not episode.is_counted:
            continue
        is_success = episode.status == SUCCESS
        counts.add("sr", is_success)
        if not is_success:
            counts.add("uncompleted", episode.status == UNCOMPLETED)
        if episode.status == UNCOMPLETED:
            counts.add("early-stop", episode.outcome.early_stop)
        if episode.is_interrupted:
            baseline = _baseline_of(episode, baselines)
            if baseline is not None and baseline.status == SUCCESS:
                counts.add("rsr", is_success)
    return groups


def _baselines(episodes: Iterable[_PlainEpisode]) -> Mapping[tuple[object, ...], list[_PlainEpisode]]:
    """Unit -> the baselines that count, the newest last."""
    found: dict[tuple[object, ...], list[_PlainEpisode]] = {}
    for episode in episodes:
        if episode.is_counted and not episode.is_interrupted:
            found.setdefault(episode.unit, []).append(episode)
    for same in found.values():
        same.sort(key=_age)
    return found


def _age(episode: _PlainEpisode) -> tuple[int, int, int]:
    """When an episode was started, then its attempt; of equal ones a digest of the id decides."""
    header = episode.header
    return started_ms(header), max(0, min(episode.episode.attempt or 0, 999)), tie_of(header)


def _baseline_of(
    episode: _PlainEpisode, baselines: Mapping[tuple[object, ...], list[_PlainEpisode]]
) -> _PlainEpisode | None:
    """The newest baseline of the same experiment, else the newest of all."""
    same = baselines.get(episode.unit, [])
    experiment = episode.episode.experiment
    of_experiment = [other for other in same if other.episode.experiment == experiment]
    return next(reversed(of_experiment or same), None)


# -- from the columns --------------------------------------------------------
def _counts_of_columns(project: Project, catalogue: Catalogue | None) -> dict[tuple[str, str, str], Count]:
    table = load_episodes(project, catalogue=catalogue)
    result = pivot(
        table, [DIMENSIONS["agent"], DIMENSIONS["condition"]], [MEASURES[name] for name in CHECKED]
    )
    counts = {}
    for row, labels in enumerate(result.groups.labels):
        for column, measure in enumerate(CHECKED):
            cell = result.cell(row, column)
            counts[labels[0], labels[1], measure] = (cell.hits or 0, cell.count)
    return counts
