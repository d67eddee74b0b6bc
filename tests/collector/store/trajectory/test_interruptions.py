"""What came between is read off the events, whatever became of the steps since."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collector.model.trajectory import TrajectoryHeader
from collector.store.files.layout import EVENTS
from collector.store.trajectory.interruptions import anomalies_in
from collector.store.trajectory.reader import open_trajectory
from collector.store.trajectory.recover import recover
from collector.store.trajectory.trajectory_files import read_lines
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import step

ROOT = Path(__file__).resolve().parents[4]


def reported(injection, transition, t_ms, **more):
    return {"kind": "anomaly", "injection": injection, "anomaly": "low", "transition": transition,
            "t_ms": t_ms, **more}  # fmt: skip


def taken(index, t_ms, under=""):
    mark = {"anomaly": {"injection": under, "anomaly": "low"}} if under else {}
    return step(index, t_ms=t_ms, extra=mark)


def test_a_dialog_has_its_steps_its_answer_and_what_followed():
    events = [
        reported("a", "injected", 1500, command="am start"),
        reported("a", "answered", 4100, answer="accept", button="Open", event="OPENED"),
        reported("a", "followed", 4200, command="am start -a x", said="ok"),
        reported("a", "failed", 4300, command="false", reason="no"),
    ]
    steps = [taken(0, 1000), taken(1, 2000, "a"), taken(2, 4000, "a"), taken(3, 5000)]
    (interruption,) = anomalies_in(events, steps)
    assert (interruption.slot, interruption.steps, interruption.answered_by) == (1, (1, 2), 2)
    assert (interruption.answer, interruption.button, interruption.event, interruption.over_ms) == (
        "accept",
        "Open",
        "OPENED",
        4100,
    )
    assert [follow.command for follow in interruption.follow_ups] == ["am start -a x", "false"]
    assert [follow.problem for follow in interruption.follow_ups] == ["", "no"]


def test_how_a_dialog_ended_and_what_came_before_are_told():
    events = [
        reported("a", "injected", 1500),
        reported("a", "continued", 2000, answer="dismiss", how="back"),
        reported("a", "continued", 3000, answer="deny", button="Later", how="touch"),
        reported("a", "answered", 4100, answer="accept", button="Rate", how="touch", given="4"),
    ]
    (interruption,) = anomalies_in(events, [])
    assert (interruption.how, interruption.given, interruption.earlier) == (
        "touch",
        "4",
        ("dismiss", "Later"),
    )
    assert interruption.over_ms == 4100


def test_a_changed_phone_is_told_by_its_time_from_change_to_undo():
    events = [reported("n", "injected", 1500, native=True), reported("n", "undone", 3500, native=True)]
    steps = [taken(number, 1000 * (number + 1)) for number in range(5)]
    (interruption,) = anomalies_in(events, steps)
    assert (interruption.native, interruption.steps, interruption.undone_ms, interruption.answered_by) == (
        True,
        (1, 2),
        3500,
        None,
    )
    assert anomalies_in(events[:1], steps)[0].steps == (1, 2, 3, 4)


def test_what_was_never_made_and_what_makes_no_sense_is_left_out():
    lines = [reported("x", "failed", 10, reason="no"), {"kind": "pause", "t_ms": 1}, {"kind": "anomaly"},
             reported("y", "undone", 5), reported("z", "injected", "soon")]  # fmt: skip
    assert anomalies_in(lines) == ()


@given(st.data())
def test_every_line_can_be_anything(data):
    kinds = st.sampled_from(["injected", "answered", "dismissed", "followed", "undone", "failed", "odd"])
    values = st.none() | st.booleans() | st.integers() | st.text(max_size=3)
    line = st.fixed_dictionaries(
        {},
        optional={"kind": st.just("anomaly") | values, "injection": st.sampled_from("abc") | values,
                  "transition": kinds | values, "t_ms": st.integers(0, 5000) | values, "answer": values,
                  "native": values, "command": values},
    )  # fmt: skip
    steps = [
        taken(number, number * 1000, data.draw(st.sampled_from(["", "a", "b"])))
        for number in range(data.draw(st.integers(0, 5)))
    ]
    for anomaly in anomalies_in(data.draw(st.lists(line, max_size=12)), steps):
        assert list(anomaly.steps) == sorted(set(anomaly.steps))
        assert all(0 <= at < len(steps) for at in anomaly.steps)
        assert 0 <= anomaly.slot <= len(steps)
        assert anomaly.answered_by is None or anomaly.answered_by in anomaly.steps


def test_undoing_steps_keeps_the_events(tmp_path):
    with TrajectoryWriter.create(tmp_path, TrajectoryHeader("one", "task")) as writer:
        writer.append(taken(0, 1000))
        writer.event("anomaly", 1500, injection="a", anomaly="low", transition="injected")
        writer.append(taken(0, 2000, "a"))
        writer.event("anomaly", 2100, injection="a", anomaly="low", transition="answered", answer="deny")
        writer.undo()
        (interruption,) = open_trajectory(writer.folder).interruptions()
        assert (interruption.steps, interruption.slot, interruption.answer, interruption.answered_by) == (
            (),
            1,
            "deny",
            None,
        )
        writer.redo()
        (interruption,) = open_trajectory(writer.folder).interruptions()
        assert (interruption.steps, interruption.answered_by) == ((1,), 1)


CHILD = """
import os, pathlib, sys
from collector.model.trajectory import TrajectoryHeader
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import step

writer = TrajectoryWriter.create(pathlib.Path(sys.argv[1]), TrajectoryHeader("one", "t"))
for number in range(10_000):
    writer.append(step(number, t_ms=number * 10))
    os.write(1, b"s\\n")
    writer.event("anomaly", number * 10 + 5, injection=str(number), anomaly="low", transition="injected")
    os.write(1, b"e\\n")
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("after", random.Random(7).sample(range(1, 60), 4))
def test_an_event_that_was_told_survives_a_kill(tmp_path, after):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(tmp_path)], stdout=subprocess.PIPE, cwd=ROOT, env=environment
    ) as process:
        assert process.stdout is not None
        output = [process.stdout.readline() for _ in range(after)]
        process.kill()
        output += process.stdout.readlines()
    folder = tmp_path / "one"
    recover(folder)
    assert len(read_lines(folder / EVENTS).lines) >= output.count(b"e\n")
    stored = open_trajectory(folder)
    assert not stored.problems
    assert len(stored.interruptions()) >= output.count(b"e\n")
    assert len(stored.steps) >= output.count(b"s\n")
