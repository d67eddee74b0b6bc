"""A recorder over a fake device and a fake clock, with the gestures of a person."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from collector.model.trajectory import Step, TrajectoryHeader
from collector.recorder.events import RecorderEvent
from collector.recorder.recorder import Recorder
from collector.store.trajectory.writer import TrajectoryWriter
from tests.helpers.dumps import node
from tests.helpers.fake_source import SCREEN, FakeClock, FakeSource

BUY = node(text="Buy", clickable="true", resource_id="app:id/buy", bounds="[0,0][360,400]")
SELL = node(text="Sell", clickable="true", resource_id="app:id/sell", bounds="[0,0][360,400]")
FIELD = node(class_="android.widget.EditText", focused="true", hint="Search products", bounds="[0,0][360,90]")
SECRET = node(
    class_="android.widget.EditText", focused="true", password="true", text="hunter2",
    resource_id="app:id/password", clickable="true", bounds="[0,100][360,200]",
)  # fmt: skip


class RecorderRig:
    """A recorder over a fake device and a fake clock, with the gestures of a person."""

    def __init__(self, folder: Path, tree_ms: float = 100) -> None:
        self.clock = FakeClock()
        self.source = FakeSource(self.clock, tree_ms)
        self.writer = TrajectoryWriter.create(folder, TrajectoryHeader("one", "task"))
        self.events: list[RecorderEvent] = []
        self.recorder = self.record()

    def record(self, *, hide_passwords: bool = True, **more: Any) -> Recorder:
        recorder = Recorder(self.source, self.writer, clock=self.clock, hide_passwords=hide_passwords, **more)
        recorder.events.subscribe(self.events.append)
        return recorder

    def screen(self, grey: int, *roots: str) -> None:
        self.source.show(grey, *roots)
        self.source.dump()
        self.recorder.look()

    def touch(self, action: TouchAction, x: int, y: int) -> None:
        self.recorder.touch(action, 0, Position(Point(x, y), SCREEN))

    def tap(self, x: int = 50, y: int = 50) -> None:
        self.touch(TouchAction.DOWN, x, y)
        self.pass_ms(60)
        self.touch(TouchAction.UP, x, y)

    def pass_ms(self, ms: float, every: float = 40) -> None:
        while ms > 0:
            self.clock.pass_ms(min(ms, every))
            self.recorder.look()
            ms -= every

    def steps(self) -> tuple[Step, ...]:
        self.pass_ms(2000)
        assert self.recorder.flush(30)
        return self.writer.steps

    def actions(self) -> list[object]:
        return [step.action for step in self.steps()]

    def close(self) -> None:
        self.recorder.close()
        self.writer.close()

    def file(self, name: str) -> bytes:
        return (self.writer.folder / name).read_bytes()


def shade(png: bytes) -> int:
    """Of the lower right corner of a picture."""
    return int(np.asarray(Image.open(io.BytesIO(png)))[-1, -1, 0])
