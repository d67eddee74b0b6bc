"""A trajectory followed while another process writes it, edits it, dies in it and recovers it."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from collector.store.trajectory.recover import recover
from collector.store.trajectory.trajectory_tail import TailState, TrajectoryTail
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.writer_process import WriterProcess


@pytest.fixture(scope="module")
def process() -> Iterator[WriterProcess]:
    process = WriterProcess()
    yield process
    process.end()


@pytest.fixture
def writing(process: WriterProcess, tmp_path: Path) -> WriterProcess:
    process.create(tmp_path)
    return process


def times(steps: tuple) -> list[int]:
    return [step.t_ms // 100 for step in steps]


def test_what_another_process_writes_arrives_once_and_its_end_is_seen(writing):
    tail = TrajectoryTail(writing.folder)
    writing.do("append", 0, 1)
    first = tail.poll()
    assert (first.state, times(first.steps), first.header.id) == (TailState.WRITING, [0, 1], "one")
    assert not first.is_rewritten
    assert tail.poll().is_empty
    writing.do("append", 2)
    writing.do("event", "pause", 250)
    news = tail.poll()
    assert (times(news.steps), [line["kind"] for line in news.events]) == ([2], ["pause"])
    assert news.header is None
    writing.do("append", 3)
    writing.do("finish")
    last = tail.poll()
    assert (last.state, times(last.steps), last.header.status) == (TailState.ENDED, [3], "finished")


def test_an_edit_of_known_steps_gives_all_of_them_again(writing):
    tail = TrajectoryTail(writing.folder)
    writing.do("append", 0, 1, 2)
    writing.do("event", "pause", 250)
    tail.poll()
    writing.do("delete", 1)
    news = tail.poll()
    assert news.is_rewritten
    assert (times(news.steps), [step.index for step in news.steps]) == ([0, 2], [0, 1])
    assert [line["kind"] for line in news.events] == ["pause"]
    writing.do("append", 5)
    assert times(tail.poll().steps) == [5]


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="needs SIGKILL")
@pytest.mark.parametrize("torn", ["steps.jsonl", "events.jsonl"])
def test_a_torn_line_waits_and_is_gone_after_the_recovery(tmp_path, torn):
    writing = WriterProcess()
    writing.create(tmp_path)
    tail = TrajectoryTail(writing.folder)
    writing.do("append", 0, 1)
    tail.poll()
    writing.do("tear", torn)
    news = tail.poll()
    assert (news.state, news.is_empty) == (TailState.WRITING, True)
    os.kill(writing.process.pid, signal.SIGKILL)
    writing.end()
    assert tail.poll().state is TailState.ABANDONED
    recover(writing.folder)
    news = tail.poll()
    assert (news.state, news.header.status, news.steps) == (TailState.ENDED, "recovered", ())
    with TrajectoryWriter.open(writing.folder) as writer:
        writer.event("note", 1)
    assert [line["kind"] for line in tail.poll().events] == ["note"]


def test_a_line_written_over_another_is_noticed(writing):
    """A failing disk: the line was there, was cut off again, and another one took its place."""
    tail = TrajectoryTail(writing.folder)
    writing.do("append", 0, 1)
    writing.do("event", "first", 1)
    tail.poll()
    events = writing.folder / "events.jsonl"
    data = events.read_bytes()
    with events.open("r+b") as file:
        file.write(data.replace(b"first", b"other"))
    news = tail.poll()
    assert news.is_rewritten
    assert [line["kind"] for line in news.events] == ["other"]
    assert times(news.steps) == [0, 1]


def test_lines_that_cannot_be_read_are_reported_once(writing):
    tail = TrajectoryTail(writing.folder)
    with (writing.folder / "events.jsonl").open("ab") as file:
        file.write(b"\0\0\0\n")
        file.flush()
        assert tail.poll().problems == ()  # it may be the end of a line that is on its way
        file.write(b'{"kind":"note","t_ms":1}\n')
    news = tail.poll()
    assert [line["kind"] for line in news.events] == ["note"]
    assert news.problems == ("Line 1 of events.jsonl cannot be read and was passed over",)
    assert tail.poll().problems == ()


def test_a_trajectory_that_was_moved_away_is_gone(writing, tmp_path):
    tail = TrajectoryTail(writing.folder)
    writing.do("append", 0)
    writing.do("finish")
    tail.poll()
    writing.folder.rename(tmp_path / "two")
    assert tail.poll().state is TailState.GONE
