"""Pictures of anomalies: drawn once, one at a time, the newest request first."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtGui import QImage

from collector.anomalies.model import Anomaly, AnomalyParameter
from collector.located_yaml.diagnostics import Place
from studio.bridge.jobs import JobRunner
from studio.bridge.previews import AnomalyPreviews, key_of


class _Painter:
    """Notes what it is asked for; waits at the first picture until it is let go."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.threads: set[str] = set()
        self.go = threading.Event()

    def __call__(self, anomaly: Anomaly, values: Any, dark: bool, package: str) -> QImage:
        self.asked.append(anomaly.activity)
        self.threads.add(threading.current_thread().name)
        assert self.go.wait(10)
        if anomaly.activity == "broken":
            raise RuntimeError("cannot be drawn")
        return QImage(4, 8, QImage.Format.Format_RGB32)


@pytest.fixture
def painter() -> Iterator[_Painter]:
    painter = _Painter()
    yield painter
    painter.go.set()


@pytest.fixture
def previews(qtbot: Any, painter: _Painter) -> Iterator[AnomalyPreviews]:
    runner = JobRunner()
    previews = AnomalyPreviews(runner, painter)
    yield previews
    painter.go.set()
    runner.close()
    previews.deleteLater()
    runner.deleteLater()


def _anomaly(name: str) -> Anomaly:
    return Anomaly(name, activity=name)


def test_a_picture_is_drawn_behind_and_known_afterwards(previews, painter, qtbot):
    painter.go.set()
    with qtbot.waitSignal(previews.arrived) as arrived:
        assert previews.request(_anomaly("one")) is None
    assert arrived.args == [key_of(_anomaly("one"))]
    assert previews.request(_anomaly("one")).height() == 8
    assert painter.asked == ["one"]
    assert threading.current_thread().name not in painter.threads


def test_the_newest_request_goes_first_and_none_is_drawn_twice(previews, painter, qtbot):
    for name in ("one", "two", "three", "one", "three"):
        previews.request(_anomaly(name))
    with qtbot.waitSignals([previews.arrived] * 3):
        painter.go.set()
    assert painter.asked == ["one", "three", "two"]


def test_what_cannot_be_drawn_shows_nothing_and_holds_nothing_up(previews, painter, qtbot):
    painter.go.set()
    with qtbot.waitSignals([previews.arrived] * 2):
        previews.request(_anomaly("broken"))
        previews.request(_anomaly("one"))
    assert previews.request(_anomaly("broken")).isNull()
    assert not previews.request(_anomaly("one")).isNull()


def test_a_picture_depends_on_what_is_shown_and_not_on_the_place_in_the_file():
    anomaly = Anomaly("a", activity="Low", parameters=(AnomalyParameter("title", "text", "1"),))
    moved = replace(
        anomaly, place=Place(9, 2, 3), parameters=(replace(anomaly.parameters[0], place=Place(5, 1, 6)),)
    )
    assert key_of(anomaly) == key_of(replace(moved, id="b", description="other"))
    assert key_of(anomaly) != key_of(anomaly, {"title": "2"})
    assert key_of(anomaly) != key_of(anomaly, {"title": 1})
    assert key_of(anomaly) != key_of(anomaly, dark=True)
