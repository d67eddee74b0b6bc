"""What is known of each step of a stored trajectory, read once from its line files: no picture and no tree.

It answers filters and fills the lanes of a timeline; pictures and trees stay in the trajectory's files until
somebody looks at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from collector.comparison.alignment.differences import describe_step
from collector.model.trajectory import Step, Trajectory
from collector.model.verdicts.judgement import MISSED, REACHED, STATE, TASK, Judgement
from collector.store.trajectory.interruptions import Interruption, anomalies_in
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.trajectory.recorded_moments import (
    NEAR,
    RecordedDeviceEvent,
    device_events_in,
    rule_hits_in,
)
from collector.store.trajectory.reviews.label_judgements import judgements_that_count
from collector.store.trajectory.reviews.labels import read_all_labels

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class IndexedStep:
    """A step and what is known of it. Numbers count from 0."""

    number: int
    step: Step
    caption: str
    action: str
    """Kind of the action; empty for the final state."""
    thought: str
    """What the agent said before the action; empty for a person's step."""
    took_ms: Mapping[str, int]
    """Phase of the agent's turn -> milliseconds."""
    anomalies: tuple[str, ...]
    """Ids of the anomalies it was taken under."""
    reached: tuple[tuple[str, str], ...]
    """Essential states that are first reached here, each with its judge."""
    rules: tuple[str, ...]
    """Ids of the injection rules that held on its screen, whether or not they fired."""
    judgements: tuple[Judgement, ...]
    """What judges said of this step: windows that cover it, and at the last step of the task as a whole."""
    events: tuple[RecordedDeviceEvent, ...]
    """What happened to the phone, or to who moves it, before it."""

    @property
    def latency_ms(self) -> int | None:
        """How long the agent took to think; None when it is not known."""
        turn = self.step.agent
        return self.took_ms.get("think", turn.usage.time_ms if turn is not None else None)


@dataclass(frozen=True, slots=True)
class TrajectoryIndex:
    """The steps of a trajectory with what is known of them, and what is known of it as a whole."""

    trajectory: Trajectory
    steps: tuple[IndexedStep, ...]
    interruptions: tuple[Interruption, ...]
    verdicts: tuple[Judgement, ...]
    """What judges said of the task."""
    missed: tuple[tuple[str, str], ...]
    """Essential states that are not reached, each with the judge that says so."""


def index_of(stored: StoredTrajectory, judgements: Sequence[Judgement] | None = None) -> TrajectoryIndex:
    """Read the index of a trajectory.

    ``judgements`` are those that may be shown, by default all that count.
    """
    known = counting_judgements(stored) if judgements is None else judgements
    return build_index(stored.trajectory, stored.events(), known)


def counting_judgements(stored: StoredTrajectory) -> tuple[Judgement, ...]:
    """The judgements of a trajectory that count, labels of people included."""
    return tuple(judgements_that_count(stored.judgements(), read_all_labels(stored.files).values()).values())


def build_index(
    trajectory: Trajectory, events: Iterable[Mapping[str, Any]], judgements: Iterable[Judgement]
) -> TrajectoryIndex:
    """The index of what was read; lines of events that are not understood are left out."""
    lines, verdicts = list(events), list(judgements)
    steps = trajectory.steps
    interruptions = anomalies_in(lines, steps)
    anomalies = _by_step(
        (number, item.anomaly) for item in interruptions for number in item.steps if item.anomaly
    )
    reached = _by_step(
        (judgement.subject.first, (judgement.subject.state, judgement.judge))
        for judgement in verdicts
        if judgement.subject.kind == STATE and judgement.verdict == REACHED
    )
    judged = _by_step(place for judgement in verdicts for place in _places(judgement, len(steps)))
    rules = _by_step((hit.step, hit.rule) for hit in rule_hits_in(lines) if hit.outcome != NEAR)
    happened = _by_step((event.step, event) for event in device_events_in(lines, steps))
    return TrajectoryIndex(
        trajectory,
        tuple(
            IndexedStep(
                number, step, describe_step(step), step.action.kind if step.action is not None else "",
                step.agent.thought if step.agent is not None else "",
                step.agent.timings_ms if step.agent is not None else {},
                tuple(dict.fromkeys(anomalies.get(number, ()))), tuple(reached.get(number, ())),
                tuple(dict.fromkeys(rules.get(number, ()))), tuple(judged.get(number, ())),
                tuple(happened.get(number, ())),
            )
            for number, step in enumerate(steps)
        ),
        interruptions,
        tuple(judgement for judgement in verdicts if judgement.subject.kind == TASK),
        tuple(
            (judgement.subject.state, judgement.judge)
            for judgement in verdicts
            if judgement.subject.kind == STATE and judgement.verdict == MISSED
        ),
    )  # fmt: skip


def _by_step(places: Iterable[tuple[int | None, T]]) -> dict[int, list[T]]:
    by_step: dict[int, list[T]] = {}
    for number, value in places:
        if number is not None:
            by_step.setdefault(number, []).append(value)
    return by_step


def _places(judgement: Judgement, steps: int) -> Iterable[tuple[int, Judgement]]:
    """The steps that a judgement stands at: a window's, and the last one for the task."""
    subject = judgement.subject
    if subject.kind == TASK:
        return ((steps - 1, judgement),) if steps else ()
    if subject.kind == STATE or subject.first is None:
        return ()
    last = subject.first if subject.last is None else subject.last
    return ((number, judgement) for number in range(subject.first, min(last, steps - 1) + 1))
