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
import uiautomator2

from collector.device.session import DeviceSession
from collector.device.trees.uiautomator2_source import Uiautomator2Source
from collector.device.trees.uiautomator_source import UiautomatorSource
from collector.device.video.pictures import ScreenshotPictures
from collector.model.action import Tap
from collector.model.episode import AgentTurn, Episode
from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import RUN, TrajectoryHeader
from collector.recorder.observer import Observer
from collector.recorder.run_recorder import RunRecorder
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.settle import MAP_SIZE, FrameHistory
from collector.recorder.step_builder import CapturedAction, build_step
from collector.store.trajectory.writer import TrajectoryWriter
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
        yield _uiautomator2_row(session, rival, record)
        yield from _agent_rows(session)


def _uiautomator2_row(session: DeviceSession, phone: adbutils.AdbDevice, record: Callable[[], None]) -> Row:
    """Tree, picture and tap of one step; one after the other, as a phone has one uiautomator2 server."""
    bar = Point(session.screen_size.width // 2, 10)  # a tap there changes nothing
    place = Position(bar, session.screen_size)
    trees, never = Uiautomator2Source(session.device), threading.Event()

    def ours() -> None:
        trees.snapshot(never)
        record()
        session.touch(TouchAction.DOWN, 0, place)
        session.touch(TouchAction.UP, 0, place)

    mine = timed(ours, 20, 15)
    trees.close()
    client = uiautomator2.connect(phone)

    def theirs() -> None:
        client.dump_hierarchy()
        client.screenshot()
        client.click(bar.x, bar.y)

    others = timed(theirs, 20, 15)
    client.stop_uiautomator()
    note = (
        "both read the tree by uiautomator2's server on the same phone. Ours is parsed and on the disk, its"
        " picture is the mirror's, and nobody confirms its tap; theirs is in memory"
    )
    return Row("tree, picture and tap of a step", mine, Budget("median", 1, of_rival=True),
               "uiautomator2: dump_hierarchy + screenshot + click", others, note)  # fmt: skip


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
        written = build_step(CapturedAction(moment, Tap(*centre)), history)
        writer.append(written.step, written.png, written.xml)

    return record


def _until(reached: Callable[[], bool]) -> None:
    end = time.monotonic() + _PATIENCE
    while not reached():
        if time.monotonic() > end:
            raise TimeoutError("the virtual phone gave no picture and tree")
        time.sleep(0.05)
