"""What the session of the Metrics workspace shows while episodes are loaded and counted behind the window."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QObject, Signal

from collector.store.catalogue.episode_facts import EpisodeFacts
from studio.bridge.metrics_numbers import LoadedEpisodes
from studio.views.metrics.session import MetricsSession
from tests.helpers.episode_table import columns_of_episodes


class PlainLibrary(QObject):
    """An open project whose files nobody reads."""

    person = ""
    opened = Signal(object)
    changed = Signal(object)
    snapshot = None
    project = SimpleNamespace(folder=None)


class WaitingNumbers(QObject):
    """Notes what is asked for; a test delivers it."""

    loaded = Signal(object)
    failed = Signal(object)

    def __init__(self, _runner: object, parent: QObject) -> None:
        super().__init__(parent)
        self.loads: list[LoadedEpisodes | None] = []
        """For each request the episodes that need not be loaded again."""
        self.tables: list[Callable[[Any], object]] = []

    def load(self, _project: object, _selection: object, known: LoadedEpisodes | None = None) -> None:
        self.loads.append(known)

    def compute(self, _kind: str, _table: object, _work: object, deliver: Callable[[Any], object]) -> None:
        self.tables.append(deliver)

    def forget(self) -> None:
        """Nothing runs here."""


@pytest.fixture
def session(qapp, monkeypatch):
    monkeypatch.setattr("studio.views.metrics.session.MetricsNumbers", WaitingNumbers)
    library = PlainLibrary()
    created = MetricsSession(library, SimpleNamespace(), library)
    created.set_in_front(True)
    created.numbers.loaded.emit(EPISODES)
    created.numbers.tables.pop()((0.0, ()))
    yield created
    library.deleteLater()


TABLE = columns_of_episodes([EpisodeFacts("t", agent="a", outcome="success", is_finished=1, seed=1)])
EPISODES = LoadedEpisodes(TABLE, TABLE)


def test_tables_that_arrive_after_a_choice_are_not_those_of_the_choice(session):
    session.lay_out(replace(session.layout, rows=("agent",)))
    session.keep("seed", ["1"])
    session.numbers.tables.pop()((0.0, ()))
    assert not session.is_counted
    session.numbers.loaded.emit(EPISODES)
    assert not session.is_counted
    session.numbers.tables.pop()((0.0, ()))
    assert session.is_counted


def test_a_choice_while_the_project_is_read_again_waits_for_what_is_new(session):
    session.keep("seed", ["1"])
    assert session.numbers.loads[-1] is EPISODES
    session.numbers.loaded.emit(EPISODES)
    session.project_library.changed.emit(None)
    session.keep("seed", None)
    assert session.numbers.loads[-2:] == [None, None]
