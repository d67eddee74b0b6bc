"""The verdicts on trajectories side by side, and their events, read behind the window."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal, Slot

from collector.model.judgement import REACHED, STATE, Judgement
from collector.store.codec import Line
from collector.store.judgements import read_judgements
from collector.store.label_judgements import judgements_that_count
from collector.store.labels import read_all_labels
from collector.store.reader import StoredTrajectory
from studio.bridge.jobs import JobRunner
from studio.bridge.newest_answers import NewestAnswers


@dataclass(frozen=True, slots=True)
class SideVerdicts:
    """What was judged of one trajectory, and what happened in it."""

    judgements: tuple[Judgement, ...] = ()
    """Those that count: the newest of each judge on each subject, and people's labels as judgements."""
    events: tuple[Line, ...] = ()
    """The lines of ``events.jsonl``."""

    def reached_at(self, state: str) -> int | None:
        """The first step at which any judge saw an essential state; None when none did."""
        steps = [
            judgement.subject.last or 0
            for judgement in self.judgements
            if (judgement.subject.kind, judgement.subject.state) == (STATE, state)
            and judgement.verdict == REACHED
        ]
        return min(steps, default=None)


class SideVerdictsReader(QObject):
    """Reads all sides again when asked. GUI thread only."""

    changed = Signal()
    """:attr:`sides` are others."""
    failed = Signal(object)

    def __init__(self, runner: JobRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._answers = NewestAnswers(runner, self)
        self._answers.failed.connect(self.failed)
        self.sides: tuple[SideVerdicts, ...] = ()

    def read(self, stored: Sequence[StoredTrajectory]) -> None:
        """Read what is known of trajectories; until then there is nothing of each."""
        self.sides = (SideVerdicts(),) * len(stored)
        self.changed.emit()
        if stored:
            self._answers.ask("read", lambda _job: _read_all(stored), self._read)

    def read_again(self, stored: Sequence[StoredTrajectory]) -> None:
        """Read again after a verdict was written, and keep what is shown until then."""
        self._answers.ask("read", lambda _job: _read_all(stored), self._read)

    @Slot(object)
    def _read(self, sides: tuple[SideVerdicts, ...]) -> None:
        if sides != self.sides:
            self.sides = sides
            self.changed.emit()

    def close(self) -> None:
        """Answer nothing any more."""
        self._answers.forget()


def _read_all(stored: Sequence[StoredTrajectory]) -> tuple[SideVerdicts, ...]:
    return tuple(SideVerdicts(_judgements(each.folder), each.events()) for each in stored)


def _judgements(folder: Path) -> tuple[Judgement, ...]:
    people = read_all_labels(folder)
    return tuple(judgements_that_count(read_judgements(folder), people.values()).values())
