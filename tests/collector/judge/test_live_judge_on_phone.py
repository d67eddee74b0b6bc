"""A task of the sample is done on a virtual phone through the recorder, without a window."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from collector.judge.evaluation.steps_evaluation import LiveVerdicts, StepsEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.live_judge import LiveJudge
from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from collector.model.resources import asset
from collector.model.trajectory import TrajectoryHeader
from collector.project_rules.project_rules import ProjectRules
from collector.recorder.recorder import Recorder
from collector.store.trajectory.writer import TrajectoryWriter
from collector.virtual.system.phone import Phone
from tests.helpers.fake_source import FakeClock, FakeSource
from tests.helpers.phone_driver import bounds, find, tap_at
from tests.helpers.virtual import profile


class PhoneSource(FakeSource):
    """What a virtual phone shows, read whenever a tree is asked for."""

    def __init__(self, clock: FakeClock, phone: Phone) -> None:
        super().__init__(clock, tree_ms=20)
        self.phone = phone
        self.screen_size = phone.size
        self._drawn = b""

    def look(self) -> None:
        """Take over the screen of the phone."""
        front, xml = self.phone.focused, self.phone.hierarchy_xml()
        if front is not None:
            self.front = (front.package, front.activity)
        if xml != self._drawn:
            self._drawn = self._xml = xml
            shade = sum(xml) % 200
            size = self.screen_size
            self.draw(np.full((size.height, size.width, 3), shade, np.uint8))


class Tapping:
    """A recorder on a virtual phone, and a person who taps."""

    def __init__(self, folder: Path) -> None:
        self.clock = FakeClock()
        self.source = PhoneSource(self.clock, Phone(profile("launcher", "shop", "todo")))
        self.writer = TrajectoryWriter.create(folder, TrajectoryHeader("one", "shop-11", who="lin"))
        self.recorder = Recorder(self.source, self.writer, clock=self.clock)
        self.rules = TaskRules.of(ProjectRules.open(asset("sample")), "shop-11")
        self.judge = LiveJudge(self.recorder, self.writer, self.rules)
        self.newest = LiveVerdicts()
        self.judge.events.subscribe(self._noted)
        self.source.look()
        self.source.dump()

    def _noted(self, event: object) -> None:
        assert isinstance(event, LiveVerdicts), event
        self.newest = event

    def tap(self, **attributes: str) -> None:
        """Tap a node, wait until the screen rests, and until all of it is judged."""
        center = bounds(find(self.source.phone, **attributes)).center
        position = Position(Point(center.x, center.y), self.source.screen_size)
        self.recorder.touch(TouchAction.DOWN, 0, position)
        self.recorder.touch(TouchAction.UP, 0, position)
        tap_at(self.source.phone, center.x, center.y)
        self.rest()

    def inject(self) -> None:
        """Let an anomaly come over the screen, and wait as after a tap."""
        self.source.phone.launch("com.waymark.todo")
        self.recorder.interrupt("i1", "low_battery", self.clock(), "com.waymark.todo")
        self.rest()

    def rest(self) -> None:
        """Wait until the screen rests, and until all of it is judged."""
        for _look in range(40):
            self.source.look()
            self.clock.pass_ms(40)
            self.recorder.look()
        assert self.recorder.flush(30)
        assert self.judge.flush(30)

    @property
    def reached(self) -> dict[str, int]:
        return {state: at.step for state, at in self.newest.states.items()}

    def close(self) -> None:
        self.recorder.close()
        self.judge.close()
        self.writer.close()
        self.source.phone.close()


def test_states_of_a_sample_task_are_ticked_as_they_are_reached(tmp_path: Path) -> None:
    person = Tapping(tmp_path)
    try:
        person.tap(text="Shop")
        assert person.reached == {}
        person.tap(text="Botanical print, set of 3")
        assert person.reached.keys() == {"shop-11-1", "shop-11-3"}, "its page counts as the search"
        assert set(person.reached.values()) == {2}
        assert person.newest.done is None
        person.tap(resource_id="save")
        assert person.reached["shop-11-2"] == 3
        assert person.newest.done is not None, "the success rule says that the task is done"
        person.tap(resource_id="save")
        assert person.reached["shop-11-2"] == 3, "what was reached stays reached"
        person.recorder.delete(3)
        assert person.recorder.flush(30)
        assert person.judge.flush(30)
        assert "shop-11-2" not in person.reached, "the screen that showed it is no step any more"
    finally:
        person.close()


def test_a_screen_under_an_anomaly_reaches_no_state_live_either(tmp_path: Path) -> None:
    person = Tapping(tmp_path)
    try:
        person.tap(text="Shop")
        person.tap(text="Botanical print, set of 3")
        assert person.reached.keys() == {"shop-11-1", "shop-11-3"}
        person.inject()
        assert person.reached == {}, "its screen belongs to no step: that of the next one shows the anomaly"
        person.tap(text="Today")
        assert person.reached == {}
        recorded = StepsEvaluation(person.rules, person.writer.folder).verdicts(person.writer.steps)
        assert recorded.states == {}, "the judge says the same of what was recorded"
    finally:
        person.close()
