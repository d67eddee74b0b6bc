"""Recording a step of a virtual phone over a real adb, beside adbutils' dump_hierarchy and screenshot.

A person's step is built until it is on the disk. An agent's step is written behind its thinking: what counts
is how long the acting thread is kept.
"""

from __future__ import annotations

import datetime as dt
import os
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

import adbutils

from collector.device.pictures import ScreenshotPictures
from collector.device.session import DeviceSession
from collector.device.uiautomator_source import UiautomatorSource
from collector.model.action import Tap
from collector.model.episode import AgentTurn, Episode
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.recorder.observer import Observer
from collector.recorder.run_recorder import RunRecorder
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import MAP_SIZE, FrameHistory
from collector.recorder.step_builder import CapturedAction, PendingStep, build_step
from collector.store.writer import TrajectoryWriter
from tests.benchmarks.budgets.table import Budget, Row, paired, timed
from tests.helpers.virtual import adb_server, virtual_process

_PHONE = ("--size", "1080x2400", "--density", "480")
_RIVAL = "adbutils: dump_hierarchy + screenshot"
_PATIENCE = 30.0
_AGENT_STEPS = 30
_THINKING = 0.3
"""Seconds an agent thinks at least; a model takes seconds."""


def rows() -> Iterator[Row]:
    """Without and with the phone's own dump, both until the step is flushed to the medium."""
    header = TrajectoryHeader("bench", "task")
    with (
        _session() as (session, rival),
        tempfile.TemporaryDirectory() as folder,
        TrajectoryWriter.create(Path(folder), header) as writer,
    ):
        record = _recording(session, writer)

        def with_dump() -> None:
            UiautomatorSource(session.device).snapshot(threading.Event())
            record()

        def theirs() -> None:
            rival.dump_hierarchy()
            rival.screenshot()

        yield Row("record a step, 1080x2400, to the disk", timed(record, 40), Budget("median", 100))
        mine, others = paired(with_dump, theirs, 15, 25)
        note = "ours is parsed, captioned, has selectors and is on the disk; theirs is in memory"
        yield Row("record a step with the phone's dump", mine, None, _RIVAL, others, note)
        yield from _agent_rows(session)


def _agent_rows(session: DeviceSession) -> Iterator[Row]:
    """What a step costs an agent that observes, thinks and acts, and when it is on the disk."""
    device, never = session.device, threading.Event()
    observer = Observer(device, UiautomatorSource(device), never, ScreenshotPictures(device))
    center = session.screen_size.width // 2, session.screen_size.height // 2
    turn = AgentTurn("The button is in the middle. " * 40, '{"tap": [540, 1200]}' * 20, Tap(*center))
    kept, written = [], []
    with tempfile.TemporaryDirectory() as folder:
        header = TrajectoryHeader("bench-run", "task", kind=RUN, episode=Episode(agent="bench"))
        with RunRecorder(TrajectoryWriter.create(Path(folder), header)) as run:
            for _step in range(_AGENT_STEPS):
                moment = observer.look()
                began = time.perf_counter()
                run.step(moment, Tap(*center), {"plan": "tap"}, agent=turn)
                run.note_event("note", moment.time_ns, {"said": "tap"})
                kept.append((time.perf_counter() - began) * 1e3)
                never.wait(_THINKING)
            for _step in range(_AGENT_STEPS):
                began = time.perf_counter()
                run.step(moment, Tap(*center), agent=turn)
                run.flush(_PATIENCE)
                written.append((time.perf_counter() - began) * 1e3)
    yield Row(
        "write an agent's step and an event, 1080x2400: the acting thread", kept, Budget("p95", 5),
        note="picture, tree, target, selectors, caption and thought are written while the agent thinks",
    )  # fmt: skip
    yield Row("write an agent's step, 1080x2400, until it is on the disk", written)


@contextmanager
def _session() -> Iterator[tuple[DeviceSession, adbutils.AdbDevice]]:
    with adb_server() as server, virtual_process(*_PHONE) as (_process, address):
        server.connect(address)
        with mock.patch.dict(os.environ, server.environment):
            session = DeviceSession(address)
            session.start()
            try:
                _until(lambda: session.newest_frame() is not None and session.newest_tree() is not None)
                yield session, adbutils.AdbClient(port=server.port).device(address)
            finally:
                session.close()


def _recording(session: DeviceSession, writer: TrajectoryWriter) -> Callable[[], None]:
    """What the recorder's writing thread does for a tap on the middle of the screen."""
    frame = session.newest_frame()
    assert frame is not None
    history = FrameHistory()
    history.add(0, frame.luma(MAP_SIZE))
    centre = session.screen_size.width // 2, session.screen_size.height // 2

    def record() -> None:
        now = time.monotonic_ns()
        moment = ScreenMoment(
            now,
            dt.datetime.now(dt.UTC),
            session.newest_frame(),
            session.newest_tree(),
            *session.foreground(),
            session.screen_size,
            session.rotation,
            session.frame_source,
        )
        written = build_step(PendingStep(CapturedAction(moment, Tap(*centre)), 0), history)
        writer.append(written.step, written.png, written.xml)

    return record


def _until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not reached():
        if time.monotonic() > end:
            raise TimeoutError("the virtual phone gave no picture and tree")
        time.sleep(0.05)
