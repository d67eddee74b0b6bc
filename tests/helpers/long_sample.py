"""A long trajectory of real screens: the golden trajectories of one operator, done again and again."""

from __future__ import annotations

import itertools
import random
import shutil
from dataclasses import replace
from pathlib import Path

from collector.model.resources import asset
from collector.model.trajectory import Step, TrajectoryHeader
from collector.store.files import layout
from collector.store.trajectory import codec
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.writer import TrajectoryWriter


def long_sample(folder: Path, who: str, count: int, *, tasks: str = "*", seed: int = 1) -> Path:
    """A trajectory of ``count`` steps of ``who``, lin or sara, of the tasks that fit the pattern.

    A fiftieth of the steps is left out at random.
    """
    with TrajectoryWriter.create(folder, TrajectoryHeader(f"long-{who}-{count}", "long", who=who)) as writer:
        writer.finish()
    states = writer.folder / layout.STATES
    steps: list[Step] = []
    for number, golden in enumerate(sorted(asset("sample").glob(f"trajectories/{tasks}/*-{who}"))):
        steps += [_copied(step, golden, states, number) for step in open_trajectory(golden).steps]
    dice = random.Random(seed)
    walk = (step for step in itertools.cycle(steps) if dice.random() > 0.02)
    lines = (
        {"seq": at + 1, **codec.step_to_line(replace(step, index=at, t_ms=1000 * at))}
        for at, step in enumerate(itertools.islice(walk, count))
    )
    (writer.folder / layout.STEPS).write_bytes(b"".join(map(codec.dump_line, lines)))
    return writer.folder


def _copied(step: Step, golden: Path, states: Path, number: int) -> Step:
    """The step with its files in ``states``, under names of the golden trajectory of that number."""
    names = {"": ""}
    for name in filter(None, (step.state.screenshot, step.state.tree)):
        names[name] = f"{layout.STATES}/{number:02}-{Path(name).name}"
        shutil.copyfile(golden / name, states / Path(names[name]).name)
    digests = {names[name]: value for name, value in step.state.sha256.items()}
    state = replace(
        step.state, screenshot=names[step.state.screenshot], tree=names[step.state.tree], sha256=digests
    )
    return replace(step, state=state)
