"""Whatever a person does, in whatever order: every captured step is written, once, in order."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import TrajectoryHeader
from collector.recorder.events import RecorderEvent, StepCaptured, StepCommitted
from collector.recorder.recorder import Recorder
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.dumps import node
from tests.helpers.fake_source import SCREEN, FakeClock, FakeSource

_PLACE = Position(Point(30, 40), SCREEN)
_DOINGS = st.lists(
    st.one_of(
        st.tuples(
            st.sampled_from(list(TouchAction)), st.integers(0, 2), st.integers(0, 359), st.integers(0, 799)
        ),
        st.tuples(st.just("wait"), st.sampled_from([1, 50, 350, 700, 2000])),
        st.tuples(st.just("show"), st.integers(0, 255)),
        st.tuples(
            st.sampled_from(
                ["text", "delete", "enter", "scroll", "open", "answer", "pause", "resume", "lost", "back"]
            )
        ),
    ),
    max_size=40,
)


def _do(recorder: Recorder, source: FakeSource, clock: FakeClock, doing: tuple) -> None:  # type: ignore[type-arg]
    kind = doing[0]
    if isinstance(kind, TouchAction):
        recorder.touch(kind, doing[1], Position(Point(doing[2], doing[3]), SCREEN))
        return
    if kind == "wait":
        clock.pass_ms(doing[1])
    elif kind == "show":
        source.show(doing[1], node(text=str(doing[1]), clickable="true"))
    else:
        {
            "text": lambda: recorder.text("a"),
            "delete": lambda: recorder.key("delete"),
            "enter": lambda: recorder.key("enter"),
            "scroll": lambda: recorder.scroll(_PLACE, 0, 1),
            "open": lambda: recorder.open_app("a.b"),
            "answer": lambda: recorder.answer("42"),
            "pause": recorder.pause,
            "resume": recorder.resume,
            "lost": lambda: recorder.device_lost("gone"),
            "back": recorder.device_back,
        }[kind]()
    recorder.look()


@settings(max_examples=60, deadline=None)
@given(_DOINGS)
def test_every_captured_step_is_written_once_and_in_order(doings: list[tuple]) -> None:  # type: ignore[type-arg]
    clock = FakeClock()
    source = FakeSource(clock)
    source.show(10, node())
    events: list[RecorderEvent] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        TrajectoryWriter.create(Path(folder), TrajectoryHeader("one", "task")) as writer,
    ):
        recorder = Recorder(source, writer, clock=clock)
        recorder.events.subscribe(events.append)
        for doing in doings:
            clock.pass_ms(1)
            _do(recorder, source, clock, doing)
        recorder.close()
        captured = [event.action for event in events if isinstance(event, StepCaptured)]
        committed = [event.step.action for event in events if isinstance(event, StepCommitted)]
        assert committed == captured
        assert [step.action for step in writer.steps] == captured
        assert recorder.pending == 0
