"""Commit steps, events and the end of a trajectory, behind whoever acts: a person, a replay or an agent."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from collector.model.action import Action
from collector.model.episode import AgentTurn
from collector.model.errors import UserError
from collector.model.i18n import _
from collector.recorder.events import RecorderEvent
from collector.recorder.open_dialogs import OpenDialogs
from collector.recorder.passwords.agent_secrets import hide_secrets, with_typed_password
from collector.recorder.passwords.password_detection import takes_password
from collector.recorder.png import PngEncoder, encode_png
from collector.recorder.recording_clock import RecordingClock
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.serial_worker import SerialWorker
from collector.recorder.settle import FrameHistory
from collector.recorder.step_builder import CapturedAction
from collector.recorder.step_writer import StepWriter
from collector.store.redaction.line_masking import masked_line
from collector.store.redaction.secret_text import SecretTexts
from collector.store.redaction.written_secrets import hide_written
from collector.store.trajectory.interruptions import INTERRUPTED
from collector.store.trajectory.writer import TrajectoryWriter


class StepCommitter:
    """The one way by which anything gets into a trajectory. Every method but flush and close returns at once.

    Steps are built and written in order on a thread of its own. What the disk refuses waits there, with
    everything after it, for :meth:`retry`.
    """

    def __init__(
        self,
        writer: TrajectoryWriter,
        emit: Callable[[RecorderEvent], None],
        on_refused: Callable[[UserError], None],
        on_failed: Callable[[Exception], None],
        *,
        clock: RecordingClock,
        history: FrameHistory | None = None,
        secrets: Iterable[str] = (),
        encode: PngEncoder = encode_png,
    ) -> None:
        """``on_refused`` gets what the disk refused, ``on_failed`` the error of a step that is lost.

        ``history`` tells how far the screen changed between a moment's tree and its frame, where the
        moment itself does not. ``secrets`` are masked in what :meth:`step` and :meth:`event` write, as are
        the passwords that steps type.
        """
        self._writer = writer
        self._clock = clock
        self._worker = SerialWorker("recorder-writer", on_failed)
        self.secrets = SecretTexts(secrets)
        """What is masked, with the passwords typed so far; for the thread of the writer."""
        self._step_writer = StepWriter(
            writer, history or FrameHistory(), emit, on_refused, encode, self.secrets
        )
        self._has_rewritten = False
        self._dialogs = OpenDialogs()
        self._lock = threading.Lock()
        self._captured = 0

    @property
    def has_rewritten(self) -> bool:
        """Whether something was masked that was written before."""
        return self._has_rewritten or self._step_writer.has_rewritten

    # Steps

    def step(
        self,
        moment: ScreenMoment,
        action: Action | None,
        extra: Mapping[str, Any] | None = None,
        *,
        agent: AgentTurn | None = None,
        acted_ns: int | None = None,
        hides_text: bool | None = None,
    ) -> int:
        """Commit one step at the end: the state before it, its action, target and caption. Returns its time.

        No ``action`` makes it the final state. ``agent`` is what an agent answered; ``acted_ns`` is when
        the action began, by default the time of the moment. ``hides_text`` says whether the text it types is
        secret; None lets the focused field of ``moment`` decide.
        """
        t_ms = self._clock.t_ms(moment.time_ns if acted_ns is None else acted_ns)
        captured = CapturedAction(
            moment, action, extra=dict(extra or {}), agent=agent, hides_text=hides_text, t_ms=t_ms
        )
        self._submit(captured, self._without_secrets)
        return t_ms

    def _without_secrets(self, captured: CapturedAction) -> CapturedAction:
        """The step as it may be written; the password that it types is masked in what was written before."""
        captured = with_typed_password(captured)
        if captured.typed_password:
            self._learn(captured.typed_password, on_screens=takes_password(captured.moment))
        return hide_secrets(captured, self.secrets)

    def commit(
        self, captured: CapturedAction, *, replaces: int | None = None, inserts: int | None = None
    ) -> int:
        """Commit what a person did, in which passwords are hidden already. Returns its time.

        It goes to the end, in place of the step ``replaces``, or before the step ``inserts``. A typed
        password is hidden on later screens: what was written before keeps its undo.
        """
        t_ms = self._clock.t_ms(captured.moment.time_ns)
        placed = replace(captured, t_ms=t_ms, replaces=replaces, inserts=inserts)
        self._submit(placed, self._with_known_password)
        return t_ms

    def _with_known_password(self, captured: CapturedAction) -> CapturedAction:
        if captured.typed_password:
            self.secrets.add_typed(captured.typed_password)
            self._step_writer.passwords.add_typed(captured.typed_password)
        return replace(captured, typed_password="")

    def hide(self, *texts: str) -> None:
        """Never write these texts from now on, and mask them in what was written before."""
        self._worker.submit(lambda: self._hide_written(is_new=self.secrets.add(*texts)))

    def hide_typed(self, text: str, *, on_screens: bool) -> None:
        """Hide a text as :meth:`hide` does, and what was typed before together with it.

        With ``on_screens`` it is hidden in screenshots and trees too.
        """
        self._worker.submit(lambda: self._learn(text, on_screens=on_screens))

    def _learn(self, text: str, *, on_screens: bool) -> None:
        """On the thread of the writer."""
        is_new = self.secrets.add_typed(text)
        if on_screens:
            is_new |= self._step_writer.passwords.add_typed(text)
        self._hide_written(is_new=is_new)

    def _hide_written(self, *, is_new: bool) -> None:
        def hide(writer: TrajectoryWriter) -> None:
            self._has_rewritten |= hide_written(writer, self.secrets, self._step_writer.passwords)

        if is_new:
            self._step_writer.with_writer(hide)

    def _marked(self, captured: CapturedAction) -> CapturedAction:
        """The action with the anomaly whose dialog was open; the final state has no such mark."""
        if captured.action is None:
            return captured
        with self._lock:
            marks = self._dialogs.mark(captured.moment)
        return replace(captured, extra={**captured.extra, **marks})

    def _submit(self, captured: CapturedAction, hide: Callable[[CapturedAction], CapturedAction]) -> None:
        marked = self._marked(captured)
        with self._lock:
            self._captured += 1
        self._worker.submit(lambda: self._step_writer.commit(hide(marked)))

    @property
    def pending(self) -> int:
        """Number of steps captured and not yet written."""
        return self._captured - self._step_writer.done

    def require_action(self) -> None:
        """Raise UserError while there is no step: a golden trajectory shows how a task is done."""
        if not len(self._writer) + self.pending:
            raise UserError(
                _("Nothing is recorded yet"), _("a golden trajectory has at least one action"),
                _("Do the task on the phone, or stop the recording to keep it unfinished"),
            )  # fmt: skip

    # Events and anomalies

    def event(
        self, kind: str, time_ns: int, data: Mapping[str, Any], place: int | None = None,
        screen: ScreenMoment | None = None,
    ) -> None:  # fmt: skip
        """Add a line to ``events.jsonl``, after what was committed before; ``time_ns`` is of the clock.

        Its ``step`` is ``place``, or without one the index of the next step. A ``screen`` that no step has is
        stored with it.
        """
        t_ms = self._clock.t_ms(time_ns)
        captured = CapturedAction(screen, None, t_ms=t_ms) if screen is not None else None

        def note() -> None:
            shown = hide_secrets(captured, self.secrets) if captured is not None else None
            self._step_writer.note(kind, t_ms, masked_line(dict(data), self.secrets), place, shown)

        self._worker.submit(note)

    def interrupt(
        self, injection: str, anomaly: str, time_ns: int, package: str = "", over: str = ""
    ) -> None:
        """An anomaly was injected: the header lists it from now on.

        When it is a dialog of ``package`` over the app ``over``, steps are marked with it until
        :meth:`interruption_over`.
        """
        if package:
            with self._lock:
                self._dialogs.begin(injection, anomaly, package, time_ns, over)

        def name(writer: TrajectoryWriter) -> None:
            extra = writer.header.extra
            known = list(extra.get(INTERRUPTED, ()))
            if anomaly not in known:
                writer.update_header(extra={**extra, INTERRUPTED: [*known, anomaly]})

        self.with_writer(name)

    def interruption_over(self, injection: str, time_ns: int) -> None:
        """The dialog was closed: later steps are not marked with it."""
        with self._lock:
            self._dialogs.end(injection, time_ns)

    # Other changes, in order with the steps

    def edit(self, title: str, change: Callable[[TrajectoryWriter], str | None]) -> None:
        """Edit written steps; ``change`` may return a better title than ``title``."""
        self._worker.submit(lambda: self._step_writer.edit(title, change))

    def with_writer(self, job: Callable[[TrajectoryWriter], None]) -> None:
        """Run a job on the writer that changes no step."""
        self._worker.submit(lambda: self._step_writer.with_writer(job))

    def retry(self) -> None:
        """Write again what the disk refused."""
        self._worker.submit(self._step_writer.retry)

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything committed so far is written; False when ``timeout`` seconds pass first."""
        return self._worker.flush(timeout)

    def close(self) -> None:
        """Write what was committed, then end the thread. The writer stays open: it belongs to the caller."""
        self._worker.close()
        self._step_writer.close()
