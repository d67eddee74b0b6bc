"""Documents of ATIF that this program wrote: everything that is under ``waymark`` comes back."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from collector.exchange.source.model import SourceEvent, SourceStep, SourceTrajectory
from collector.exchange.source.records import mapping, mappings, named_file, text
from collector.model.episode import Episode
from collector.model.trajectory import RUN
from collector.model.verdicts.judgement import Judgement
from collector.store.tasks.task_file import task_from_mapping
from collector.store.trajectory.codec import header_from_document, moment_ms, step_from_line
from collector.store.trajectory.judgement_codec import judgement_from_line

OWN = "waymark"
TASK, STATES, JUDGEMENTS, EVENTS = "task_entry", "states", "judgements", "events"
"""Keys of the root that a header has not."""
_OF_IMPORT = ("imported_from", "imported_at", "source_name", "source_digest", "source_step", "source_tree")


def own_trajectory(values: Mapping[str, Any], folder: Path) -> SourceTrajectory | None:
    """The trajectory of a document beside its screens in ``folder``; None for one of another program."""
    own = mapping(mapping(values.get("extra")).get(OWN))
    if TASK not in own:
        return None
    try:
        header = header_from_document({key: own[key] for key in own if key not in (TASK, STATES)})
        steps = [_step(index, line, folder) for index, line in enumerate(_lines(values))]
        sentences = {str(key): str(value) for key, value in mapping(own.get(STATES)).items()}
        trajectory = SourceTrajectory(text(values.get("trajectory_id")), task_from_mapping(own[TASK]), steps)
        trajectory.judgements = [_judgement(line, sentences) for line in mappings(own.get(JUDGEMENTS))]
        trajectory.events = [_event(line) for line in mappings(own.get(EVENTS))]
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError):
        return None
    trajectory.kind, trajectory.outcome = header.kind, header.outcome
    trajectory.episode = header.episode or (Episode() if header.kind == RUN else None)
    trajectory.software, trajectory.device = header.software, header.device
    trajectory.started, trajectory.installed = header.started, header.installed
    trajectory.who, trajectory.note, trajectory.apps = header.who, header.note, header.apps
    skipped = (*_OF_IMPORT, JUDGEMENTS, EVENTS)
    trajectory.extra = {key: value for key, value in header.extra.items() if key not in skipped}
    return trajectory


def _lines(values: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The steps as lines of a project, in order: the state of each, and what was done in it."""
    line: dict[str, Any] = {}
    for entry in mappings(values.get("steps")):
        own = mapping(mapping(entry.get("extra")).get(OWN))
        if "state" in own:  # the first one
            line = {**mapping(own.get("step")), "state": own["state"]}
        for call in mappings(entry.get("tool_calls"))[:1]:
            action = {**mapping(call.get("arguments")), "kind": call.get("function_name")}
            line = {**own, **line, "action": action}
        results = mappings(mapping(entry.get("observation")).get("results"))
        seen = mapping(mapping(results[0].get("extra") if results else {}).get(OWN))
        if "state" in seen:
            yield line
            line = {**mapping(seen.get("step")), "state": seen["state"]}
        elif "action" in line:
            yield line
            line = {}
    if line:
        yield line


def _step(index: int, line: Mapping[str, Any], folder: Path) -> SourceStep:
    step = step_from_line({"index": index, "t_ms": 0, "wall_time": "", **line})
    return SourceStep(
        str(index), named_file(step.state.screenshot, [folder]), named_file(step.state.tree, [folder]),
        step.action, step.state.package, step.state.activity, step.t_ms, step.wall_time, step.intention,
        step.agent, {key: value for key, value in step.extra.items() if key not in _OF_IMPORT},
        note=step.note, description=step.description, target=step.target,
    )  # fmt: skip


def _judgement(line: Mapping[str, Any], sentences: Mapping[str, str]) -> Judgement:
    """A judgement that says the sentence of its state, as in every source."""
    judgement = judgement_from_line(line)
    state = sentences.get(judgement.subject.state, judgement.subject.state)
    return dataclasses.replace(judgement, subject=dataclasses.replace(judgement.subject, state=state))


def _event(line: Mapping[str, Any]) -> SourceEvent:
    data = {key: value for key, value in line.items() if key not in ("kind", "t_ms", "wall_time", "seq")}
    return SourceEvent(text(line.get("kind")) or "event", moment_ms(line.get("t_ms", 0)), data)
