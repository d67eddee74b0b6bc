"""Puts steps and edits on the disk, on the writer's thread, and keeps what the disk refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from collector.model.errors import UserError
from collector.model.tree import Tree
from collector.recorder.events import (
    EventRecorded,
    RecorderEvent,
    RecorderNotice,
    StepCommitted,
    StepsChanged,
)
from collector.recorder.settle import FrameHistory
from collector.recorder.step_builder import BuiltStep, PendingStep, build_step
from collector.store.writer import RECORDING, TrajectoryWriter

_TREES_COMPARED = 3


class StepWriter:
    """All its methods run on one thread. A refused step is kept, with all after it, until :meth:`retry`."""

    def __init__(
        self,
        writer: TrajectoryWriter,
        history: FrameHistory,
        tell: Callable[[RecorderEvent], None],
        refused: Callable[[UserError], None],
    ) -> None:
        self._writer = writer
        self._history = history
        self._tell = tell
        self._refused = refused
        self._trees: deque[Tree] = deque(maxlen=_TREES_COMPARED)
        self.done = 0
        """Steps written, or given up after a :class:`RecorderNotice` was told."""
        self._kept: list[Callable[[], None]] = []

    def commit(self, pending: PendingStep) -> None:
        """Develop a moment and write it."""
        try:
            built = build_step(pending, self._history, tuple(self._trees))
        except BaseException:
            self.done += 1
            raise
        if built.tree is not None:
            self._trees.append(built.tree)
        self.run(lambda: self._write(pending, built))

    def edit(self, title: str, change: Callable[[TrajectoryWriter], str | None]) -> None:
        """Change steps already written; ``change`` may return a better title than ``title``."""

        def job() -> None:
            said = change(self._writer)
            self._tell(StepsChanged(said or title, self._writer.steps))

        self.run(job)

    def note(self, kind: str, t_ms: int, data: Mapping[str, Any], place: int | None) -> None:
        """Add a line to ``events.jsonl``; ``step`` in it is the step that was to come.

        ``place`` is where the next step goes, None for the end.
        """

        def job() -> None:
            line = {**data, "step": len(self._writer) if place is None else place}
            written = self._writer.event(kind, t_ms, **line)
            self._tell(EventRecorded(kind, written))

        self.run(job)

    def with_writer(self, job: Callable[[TrajectoryWriter], None]) -> None:
        """Do something with the writer that changes no step."""
        self.run(lambda: job(self._writer))

    def run(self, job: Callable[[], None]) -> None:
        """Do a job of writing, behind those the disk refused before."""
        self._kept.append(job)
        if len(self._kept) == 1:
            self.retry()

    def retry(self) -> None:
        """Do what was refused again, in order."""
        while self._kept:
            try:
                self._kept[0]()
            except UserError as error:
                self._refused(error)
                return
            except IndexError as error:
                self._tell(RecorderNotice(str(error)))  # the step to be changed is gone by now
            except BaseException:
                self._kept.pop(0)
                raise
            self._kept.pop(0)
            if warning := self._writer.take_warning():
                self._refused(warning)  # saved, but the next one might not be

    def _write(self, pending: PendingStep, built: BuiltStep) -> None:
        step, png, xml = built.step, built.png, built.xml
        if pending.replaces is not None and pending.replaces < len(self._writer):
            before = self._writer.steps[pending.replaces]
            step = replace(step, note=before.note, intention=before.intention)
            stored = self._writer.replace(pending.replaces, step, png, xml)
        elif pending.inserts is not None:
            stored = self._writer.insert(pending.inserts, step, png, xml)
        else:
            self._reopen()
            stored = self._writer.append(step, png, xml)
        self.done += 1
        self._tell(StepCommitted(stored))

    def _reopen(self) -> None:
        """Going on after a finish: the final state is no longer final and goes, undoably."""
        steps = self._writer.steps
        if self._writer.header.status != RECORDING:
            self._writer.update_header(status=RECORDING, finished="")
        if steps and steps[-1].action is None:
            self._writer.delete(len(steps) - 1)
