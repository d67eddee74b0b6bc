"""Write the files of runs as a runner leaves them, fast: no lock, no pictures."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from collector.model.action import Action
from collector.model.episode import Episode, Outcome
from collector.model.trajectory import FINISHED, RUN, Step, TrajectoryHeader
from collector.model.verdicts.judgement import MISSED, REACHED, Judgement, Subject
from collector.store.files import layout
from collector.store.files.format_versions import TRAJECTORY
from collector.store.project.project import Project
from collector.store.trajectory import codec
from collector.store.trajectory.judgements import add_judgements
from tests.helpers.steps import step


def write_run(
    project: Project, name: str, episode: Episode, outcome: Outcome | None, *, task: str = "t",
    steps: Iterable[Step] = (), events: Iterable[Mapping[str, Any]] = (),
    judgements: Iterable[Judgement] = (), **header: Any,
) -> Path:  # fmt: skip
    """Write a run, finished unless ``header`` says otherwise; return its folder."""
    values = {"kind": RUN, "status": FINISHED, "started": f"2026-01-01T{name}", **header}
    whole = TrajectoryHeader(name, task, episode=episode, outcome=outcome, **values)
    folder = project.paths.trajectories_of(task) / name
    folder.mkdir(parents=True)
    document = TRAJECTORY.stamp(codec.header_to_document(whole))
    (folder / layout.HEADER).write_text(json.dumps(document))
    lines = [{"seq": at + 1, **codec.step_to_line(item), "index": at} for at, item in enumerate(steps)]
    (folder / layout.STEPS).write_bytes(b"".join(map(codec.dump_line, lines)))
    known = list(events)
    if known:
        (folder / layout.EVENTS).write_bytes(b"".join(map(codec.dump_line, known)))
    add_judgements(folder, judgements)
    return folder


def steps_of(*actions: Action | None, **values: Any) -> list[Step]:
    """A step for each action, a tenth of a second apart; None is the final state."""
    return [dataclasses.replace(step(at, **values), action=action) for at, action in enumerate(actions)]


def anomaly_event(transition: str, t_ms: int, anomaly: str = "low_battery", **values: Any) -> dict[str, Any]:
    """A line of ``events.jsonl``: what became of an injected anomaly."""
    line = {"kind": "anomaly", "t_ms": t_ms, "injection": anomaly, "anomaly": anomaly}
    return {**line, "transition": transition, **values}


def says(who: str, kind: str, task: str = "", **states: int | bool) -> list[Judgement]:
    """What a judge says: of the task, and of states: True or the step for reached, False for missed."""
    given = [Judgement(who, kind, "1", Subject(), task)] if task else []
    for name, reached in states.items():
        state = name.replace("_", "-")
        if reached is False:
            given.append(Judgement(who, kind, "1", Subject("state", state), MISSED))
        else:
            step_of = (reached, reached) if reached is not True else ()
            given.append(Judgement(who, kind, "1", Subject("state", state, *step_of), REACHED))
    return given
