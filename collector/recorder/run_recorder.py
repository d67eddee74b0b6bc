"""Record an episode: an agent or a replay acts, nobody watches, and every step goes to the disk behind it."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from collector.model.action import Action
from collector.model.episode import AgentTurn, Outcome
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.i18n import _
from collector.model.trajectory import FINISHED, Trajectory, TrajectoryHeader
from collector.recorder.committer import StepCommitter
from collector.recorder.events import RecorderEvent
from collector.recorder.recording_clock import Clock, RecordingClock
from collector.recorder.screen_moment import ScreenMoment
from collector.store.catalogue.cache_purge import purge_caches
from collector.store.files.errors import StoreError
from collector.store.trajectory.reader import StoredTrajectory
from collector.store.trajectory.writer import TrajectoryWriter

_log = logging.getLogger(__name__)


class RunRecorder:
    """Records one run from the first observation to its outcome, which is written once.

    ``step`` and ``note_event`` return at once. When the disk refuses something, or a step cannot be built,
    the next call raises it: an episode that is not on the disk must not go on.
    """

    def __init__(
        self, writer: TrajectoryWriter, *, clock: Clock = time.monotonic_ns, secrets: Iterable[str] = ()
    ) -> None:
        """The run owns ``writer`` from now on. ``secrets`` are never written, as passwords are not."""
        self.events: EventEmitter[RecorderEvent] = EventEmitter()
        self._writer = writer
        self._clock = RecordingClock(clock)
        self._refused: UserError | None = None
        self._ended = False
        self._committer = StepCommitter(
            writer, self.events.emit, self._note_refusal, self._note_failure,
            clock=self._clock, secrets=secrets,
        )  # fmt: skip

    @property
    def folder(self) -> Path:
        return self._writer.folder

    @property
    def header(self) -> TrajectoryHeader:
        return self._writer.header

    @property
    def count(self) -> int:
        """Steps on the disk."""
        return len(self._writer)

    def step(
        self,
        moment: ScreenMoment,
        action: Action,
        extra: Mapping[str, Any] | None = None,
        *,
        agent: AgentTurn | None = None,
        acted_ns: int | None = None,
        hides_text: bool | None = None,
    ) -> None:
        """Commit a step: the state that was observed, the action executed in it, what the agent answered.

        ``acted_ns`` is when the action began, on the clock. ``hides_text`` says whether the text it types is
        secret; None lets the focused field of ``moment`` decide. Raises UserError for what the disk refused.
        """
        self._require_written()
        self._committer.step(moment, action, extra, agent=agent, acted_ns=acted_ns, hides_text=hides_text)

    def note_event(
        self, kind: str, time_ns: int, data: Mapping[str, Any], screen: ScreenMoment | None = None
    ) -> None:
        """Add a line to ``events.jsonl``, in order with the steps; a ``screen`` is stored with it.

        Raises as :meth:`step`.
        """
        self._require_written()
        self._committer.event(kind, time_ns, data, screen=screen)

    def add_secrets(self, secrets: Iterable[str]) -> None:
        """Never write these texts from now on, and mask them in what was written, as passwords are."""
        self._committer.hide(*secrets)

    def hide_typed(self, text: str, *, on_screens: bool) -> None:
        """Hide a text that was, or is about to be, typed: see :meth:`StepCommitter.hide_typed`."""
        self._committer.hide_typed(text, on_screens=on_screens)

    def interrupt(
        self, injection: str, anomaly: str, time_ns: int, package: str = "", over: str = ""
    ) -> None:
        """An anomaly was injected; see :meth:`StepCommitter.interrupt`."""
        self._committer.interrupt(injection, anomaly, time_ns, package, over)

    def interruption_over(self, injection: str, time_ns: int) -> None:
        """The dialog of an anomaly was closed."""
        self._committer.interruption_over(injection, time_ns)

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything so far is on the disk; False when ``timeout`` seconds pass first."""
        return self._committer.flush(timeout)

    def add_final_state(self, final: ScreenMoment) -> None:
        """Commit the state after the last action, before :meth:`finish`. Raises as :meth:`step`."""
        self._require_written()
        self._committer.step(final, None)

    def as_finished(self, outcome: Outcome) -> StoredTrajectory:
        """Flush, and return the run as if it were finished with ``outcome``, for a judge.

        Raises UserError for what the disk refused.
        """
        self.flush()
        self._require_written()
        header = replace(self._writer.header, status=FINISHED, outcome=outcome)
        return StoredTrajectory(self.folder, Trajectory(header, self._writer.steps))

    def finish(
        self, outcome: Outcome, final: ScreenMoment | None = None, *, apps: Mapping[str, str] | None = None
    ) -> Path:
        """Write the final state, the outcome and the versions of ``apps``, and close. Returns the folder.

        Waits until all is on the disk; what it refused before is tried once more. The caches of the project
        forget what was masked after it was written. Raises UserError when the disk still refuses: the run
        then stays unfinished, with every step that was written.
        """
        if self._ended:
            return self.folder
        if final is not None:
            self._committer.step(final, None)

        def end(writer: TrajectoryWriter) -> None:
            known = {**writer.header.apps, **(apps or {})}
            written = self._committer.secrets.masked_outcome(outcome)
            writer.update_header(outcome=written, apps=known)
            writer.finish(self._clock.elapsed_ms)

        if self._refused is not None:
            self._refused = None
            self._committer.retry()
        self._committer.with_writer(end)
        self.close()
        self._require_written()
        self._purge_caches()
        return self.folder

    def _purge_caches(self) -> None:
        """Let the caches of the project forget what was indexed before it was masked."""
        if not self._committer.has_rewritten:
            return
        try:
            purge_caches(self.folder)
        except StoreError as error:
            _log.warning("%s", error)

    def close(self) -> None:
        """Write what was committed and close; without an outcome the run stays unfinished."""
        if self._ended:
            return
        self._ended = True
        try:
            self._committer.close()
        finally:
            self._writer.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _require_written(self) -> None:
        if self._refused is not None:
            raise self._refused

    def _note_refusal(self, error: UserError) -> None:
        """On the writing thread. A warning, about a disk that is nearly full, ends the run too."""
        self._refused = error

    def _note_failure(self, error: Exception) -> None:
        self._refused = (
            error
            if isinstance(error, UserError)
            else UserError(_("A step could not be written: {why}", why=error), "", _("See the log"))
        )
