"""``waymark trajectory show --follow``: what is written meanwhile is printed until the end."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from collector.cli import main as command
from collector.model.trajectory import TrajectoryHeader
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.steps import png, step, xml


@pytest.fixture
def follow(tmp_path: Path, monkeypatch, capsys):
    """Follow a trajectory that is written, a change between two looks at a time."""

    def run(*flags: str, changes: list[Callable[[TrajectoryWriter], object]]) -> str:
        writer = TrajectoryWriter.create(tmp_path, TrajectoryHeader("run-1", "buy", who="ann"))
        writer.append(step(1), png(), xml())
        rest = iter(changes)

        def change(_seconds: float) -> None:
            next(rest)(writer)

        monkeypatch.setattr(time, "sleep", change)
        assert command.main(["trajectory", "show", str(writer.folder), "--follow", *flags]) == 0
        writer.close()
        assert next(rest, None) is None
        return capsys.readouterr().out

    return run


def finish(writer: TrajectoryWriter) -> None:
    writer.finish()
    writer.close()


CHANGES: list[Callable[[TrajectoryWriter], object]] = [
    lambda writer: writer.event("anomaly", 150, anomaly="low_battery", transition="injected"),
    lambda writer: writer.append(step(2), png(), xml()),
    lambda writer: writer.delete(0),
    finish,
]


def test_people_read_each_step_and_event_as_it_comes(follow):
    lines = follow(changes=CHANGES).splitlines()
    assert lines == [
        "buy / run-1  golden, recording  ann",
        "   1      0.1 s  Tap number 1",
        "   -      0.1 s  anomaly anomaly=low_battery transition=injected",
        "   2      0.2 s  Tap number 2",
        "buy / run-1  golden, recording  ann",
        "Steps were changed; these are all of them now:",
        "   -      0.1 s  anomaly anomaly=low_battery transition=injected",
        "   1      0.2 s  Tap number 2",
        "buy / run-1  golden, finished  ann",
        "The trajectory is complete",
    ]


def test_programs_read_a_document_on_each_line(follow):
    documents = [json.loads(line) for line in follow("--json", changes=CHANGES).splitlines()]
    kinds = [next(iter(document)) for document in documents]
    assert kinds == [
        "header",
        "step",
        "event",
        "step",
        "header",
        "rewritten",
        "step",
        "event",
        "header",
        "end",
    ]
    assert documents[-1] == {"end": "ended"}
    assert documents[3]["step"]["description"] == "Tap number 2"


def test_a_writer_that_ended_without_finishing_is_told(follow):
    assert "ended without finishing" in follow(changes=[TrajectoryWriter.close])
