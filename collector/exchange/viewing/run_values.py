"""What trackers of experiments are told of a trajectory: parameters, sums, and what is used step by step."""

from __future__ import annotations

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from collector.exchange.exports.exported_trajectories import OUTCOME, ExportedTrajectory, is_success
from collector.model.trajectory import Step
from collector.model.verdicts.judgement import REACHED, STATE
from collector.store.trajectory import codec

GOLDENS, RUNS = "golden trajectories", "runs"
"""Experiments of trajectories that belong to none."""


def experiment_of(exported: ExportedTrajectory) -> str:
    """The experiment that a trajectory belongs to."""
    episode = exported.header.episode
    if episode is not None and episode.experiment:
        return episode.experiment
    return RUNS if exported.header.is_run else GOLDENS


def run_id(exported: ExportedTrajectory) -> str:
    """32 letters and digits for a trajectory, each time those."""
    return hashlib.sha256(exported.place.encode(errors="replace")).hexdigest()[:32]


def parameters(exported: ExportedTrajectory) -> Mapping[str, str | int]:
    """What the trajectory was done for and by, without what is not known."""
    header, task = exported.header, exported.task
    values: dict[str, Any] = {"task": header.task_id, "kind": header.kind}
    if task is not None:
        values |= {"app": task.app, "level": task.level, "category": task.category}
    episode = codec.header_to_document(header).get("episode", {})
    known = values | {name: value for name, value in episode.items() if isinstance(value, str | int)}
    return {name: value for name, value in known.items() if value != ""}


def sums(exported: ExportedTrajectory) -> Iterator[tuple[str, float | None]]:
    """Numbers of the whole trajectory; None for one that is not known."""
    outcome = exported.header.outcome
    yield "steps", sum(step.action is not None for step in exported.steps)
    yield "duration_s", exported.header.duration_ms / 1000
    for judge, verdict in exported.task_verdicts.items():
        if (good := is_success(verdict)) is not None:
            yield ("success" if judge == OUTCOME else f"success.{judge}"), float(good)
    states = [one for one in exported.judged.newest().values() if one.subject.kind == STATE]
    for judge in dict.fromkeys(one.judge for one in states):
        own = [one.verdict == REACHED for one in states if one.judge == judge]
        yield f"states_reached.{judge}", float(sum(own))
    if outcome is not None:
        yield "input_tokens", outcome.usage.input_tokens
        yield "output_tokens", outcome.usage.output_tokens
        yield "cost", outcome.usage.cost


def used_at(step: Step) -> Iterator[tuple[str, float | None]]:
    """What the agent used at a step."""
    if step.agent is not None:
        usage = step.agent.usage
        yield "step.input_tokens", usage.input_tokens
        yield "step.output_tokens", usage.output_tokens
        yield "step.cost", usage.cost
        yield "step.time_ms", usage.time_ms


def milliseconds(moment: str) -> int:
    """Since 1970; 0 for what is no moment."""
    try:
        when = dt.datetime.fromisoformat(moment)
        return round((when if when.tzinfo else when.replace(tzinfo=dt.UTC)).timestamp() * 1000)
    except (ValueError, OverflowError, OSError):
        return 0
