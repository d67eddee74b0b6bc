"""Judge a recording by the rules of its task while it grows, on a thread of its own."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from typing import Any

from collector.device.snapshot import TreeSnapshot
from collector.judge.evaluation.steps_evaluation import LiveVerdicts, StepsEvaluation
from collector.judge.evaluation.task_rules import TaskRules
from collector.judge.registry import RULES_JUDGE
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.model.trajectory import Step
from collector.model.verdicts.judgement import REACHED, STATE, SUCCESS, TASK
from collector.recorder.events import (
    NextStateReady,
    PhonePlaceChanged,
    RecorderEvent,
    RecorderNotice,
    StepCaptured,
    StepCommitted,
    StepsChanged,
)
from collector.recorder.recorder import Recorder
from collector.recorder.serial_worker import SerialWorker
from collector.store.files import layout
from collector.store.trajectory.trajectory_files import read_lines
from collector.store.trajectory.writer import TrajectoryWriter

LIVE_VERDICT = "verdict"
"""The kind of the lines of ``events.jsonl`` that say what a judge saw while steps were recorded."""
WITHDRAWN = "withdrawn"
"""The verdict that takes an earlier one back: the step it rested on was undone, deleted or changed."""
_log = logging.getLogger(__name__)
_Noted = dict[str, int]
"""Step of the last line of each state, and under the empty id that of the success rule."""


class LiveJudge:
    """Judges a recording in the background. Of changes that come meanwhile it judges the newest alone.

    What is recorded goes into ``events.jsonl``. The screen after the last action counts for
    :attr:`events` alone until its step is written.
    """

    def __init__(self, recorder: Recorder, writer: TrajectoryWriter, rules: TaskRules) -> None:
        self.events: EventEmitter[LiveVerdicts | RecorderNotice] = EventEmitter()
        self._recorder, self._writer = recorder, writer
        self._lock = threading.Lock()
        self._steps: tuple[Step, ...] = writer.steps
        self._live: TreeSnapshot | None = None
        self._live_at: int | None = None
        """Index of the step that the live screen becomes, once the action on it was captured."""
        self._is_asked = False
        self._verdicts = LiveVerdicts()
        self._noted: _Noted | None = None
        self._evaluation = StepsEvaluation(rules, writer.folder)
        self._worker = SerialWorker("live-judge", self._report)
        self._unsubscribe = recorder.events.subscribe(self._recorder_event)
        self._ask()

    def use_rules(self, rules: TaskRules) -> None:
        """Go on with other rules, for those that were edited while the recording runs."""

        def change() -> None:
            self._evaluation = StepsEvaluation(rules, self._writer.folder)

        self._worker.submit(change)
        self._ask()

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything known so far is judged; False when ``timeout`` seconds pass first."""
        return self._worker.flush(timeout)

    def close(self) -> None:
        """Judge all that was written, and end the thread. To be called after the recorder was closed."""
        self._unsubscribe()
        self._worker.submit(self._judge_the_end)
        self._worker.close()
        self._live = None

    # What happens in the recording, on any thread

    def _recorder_event(self, event: RecorderEvent) -> None:
        with self._lock:
            match event:
                case StepCaptured():
                    if self._live is not None and self._live_at is None:
                        self._live_at = len(self._steps) + max(0, self._recorder.pending - 1)
                    return
                case StepCommitted(step=step):
                    self._steps = self._writer.steps
                    if step.action is None or self._is_superseded:
                        self._live, self._live_at = None, None
                case StepsChanged(steps=steps):
                    self._steps = steps
                case PhonePlaceChanged(is_elsewhere=is_elsewhere):
                    if is_elsewhere:  # what it shows is the state of no step
                        self._live, self._live_at = None, None
                case NextStateReady() if self._is_beside_the_end:
                    return
                case NextStateReady(snapshot=snapshot):
                    self._live_at = None
                    self._live = snapshot if snapshot is not None and snapshot.tree is not None else None
                case _:
                    return
        self._ask()

    @property
    def _is_beside_the_end(self) -> bool:
        """Whether the phone shows another screen than the one behind the last step."""
        recorder = self._recorder
        return not recorder.pending and (recorder.place.is_elsewhere or recorder.rerecords is not None)

    @property
    def _is_superseded(self) -> bool:
        """Whether the step of the live screen is among the recorded ones now."""
        return self._live_at is not None and self._live_at < len(self._steps)

    def _ask(self) -> None:
        with self._lock:
            if self._is_asked:
                return
            self._is_asked = True
        self._worker.submit(self._judge)

    # On the thread of the judge

    def _judge(self) -> None:
        with self._lock:
            self._is_asked = False
            steps, live, live_at = self._steps, self._live, self._live_at
        if live is not None and live_at is None and self._recorder.pending:
            live = None  # which step it becomes is known once those before it are written, and then judged
        elif live_at not in (None, len(steps)):
            live = None
        recorded = self._evaluation.verdicts(steps)
        for data in self._changes(recorded):
            self._recorder.note_event(LIVE_VERDICT, None, data, data["step"])
        self._emit(recorded if live is None else self._evaluation.verdicts(steps, live))

    def _judge_the_end(self) -> None:
        recorded = self._evaluation.verdicts(self._writer.steps)
        t_ms = self._recorder.elapsed_ms
        self._noted = None  # a line that was given to the recorder as it closed was never written
        try:
            for data in self._changes(recorded):
                self._writer.event(LIVE_VERDICT, t_ms, **data)
        except UserError:
            _log.warning("the last verdicts were not written", exc_info=True)
        self._emit(recorded)

    def _emit(self, verdicts: LiveVerdicts) -> None:
        if verdicts != self._verdicts:
            self._verdicts = verdicts
            self.events.emit(verdicts)

    def _changes(self, verdicts: LiveVerdicts) -> Iterator[dict[str, Any]]:
        """The lines that say what is different since the last ones."""
        if self._noted is None:
            self._noted = _noted_in(self._writer)
        now = dict(verdicts.states)
        if verdicts.done is not None:
            now[""] = verdicts.done
        for state, at in now.items():
            if self._noted.get(state) != at.step:
                self._noted[state] = at.step
                yield {**_subject(state), "verdict": REACHED if state else SUCCESS, "step": at.step,
                       "reason": at.reason}  # fmt: skip
        for state in [state for state in self._noted if state not in now]:
            yield {**_subject(state), "verdict": WITHDRAWN, "step": self._noted.pop(state)}

    def _report(self, error: Exception) -> None:
        self.events.emit(RecorderNotice(_("The states are not judged: {why}", why=error), _("See the log")))


def _subject(state: str) -> dict[str, Any]:
    about = {"judge": RULES_JUDGE, "subject": STATE if state else TASK}
    return {**about, "state": state} if state else about


def _noted_in(writer: TrajectoryWriter) -> _Noted:
    """What the events say already of a recording that goes on."""
    noted: _Noted = {}
    for line in read_lines(writer.folder / layout.EVENTS).lines:
        if line.get("kind") != LIVE_VERDICT or line.get("judge") != RULES_JUDGE:
            continue
        state, step = str(line.get("state") or ""), line.get("step")
        if line.get("verdict") == WITHDRAWN:
            noted.pop(state, None)
        elif isinstance(step, int):
            noted[state] = step
    return noted
