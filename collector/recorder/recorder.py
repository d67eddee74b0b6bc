"""The recorder: sends input to the phone at once and writes it as steps in the background.

Three threads meet here. The caller's thread (the window's) never blocks: it takes references and queues
them. The monitor's thread looks at frames. The writer's thread builds and writes steps, in order.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from collector.model.action import Action, Answer, Complete, OpenApp, Wait
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter
from collector.model.geometry import Position
from collector.model.i18n import _
from collector.model.phone.android_names import is_qualified_package
from collector.model.phone.touch import TouchAction
from collector.recorder.action_capture import ON_DEVICE, ActionCapture
from collector.recorder.capture_source import CaptureSource
from collector.recorder.committer import StepCommitter
from collector.recorder.events import (
    PHONE_LOST,
    NextStateReady,
    Phase,
    PhonePlaceChanged,
    RecorderEvent,
    RecorderNotice,
    RecordingState,
    RerecordArmed,
    StepCaptured,
    StepCommitted,
    StepsChanged,
)
from collector.recorder.png import PngEncoder, encode_png
from collector.recorder.recording_clock import Clock, RecordingClock
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.screen_monitor import ScreenMonitor
from collector.recorder.settle import FrameHistory, SettleDetector
from collector.recorder.step_builder import CapturedAction
from collector.recorder.step_editing import PhonePlace, StepEditing, StepPlace, elsewhere_sentence
from collector.store.trajectory.writer import TrajectoryWriter

LOOK_EVERY_S = 0.04
_log = logging.getLogger(__name__)


class Recorder(StepEditing):
    """Record one trajectory. Every public method but :meth:`flush` and :meth:`close` returns at once.

    Input always reaches the phone; it becomes steps while the phase is RECORDING.
    """

    def __init__(
        self,
        source: CaptureSource,
        writer: TrajectoryWriter,
        *,
        clock: Clock = time.monotonic_ns,
        wall: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
        long_press_ms: int = 400,
        settle: SettleDetector | None = None,
        hide_passwords: bool = True,
        encode: PngEncoder = encode_png,
        is_elsewhere: bool = False,
    ) -> None:
        """``clock`` gives monotonic nanoseconds, as frames and trees are stamped with.

        ``hide_passwords`` keeps the text, the pixels and the typing of password fields off the disk.
        ``encode`` makes the screenshots. With ``is_elsewhere`` the phone is not known to be where the steps
        end, as it is not when the last of them was undone.
        """
        self.events: EventEmitter[RecorderEvent] = EventEmitter()
        self._source = source
        self._clock = clock
        self._lock = threading.RLock()
        self._phase = Phase.RECORDING
        self._lost_device = False
        self._has_device = True
        self._writer = writer
        self._time = RecordingClock(clock, writer.steps[-1].t_ms if len(writer) else None)
        history = FrameHistory()
        self._monitor = ScreenMonitor(source, history, settle or SettleDetector())
        self._capture = ActionCapture(
            source, clock, wall, self._monitor.acted, self._on_captured,
            long_press_ms=long_press_ms, hides_passwords=hide_passwords,
        )  # fmt: skip
        super().__init__(
            StepCommitter(
                writer,
                self._note_and_emit,
                self._disk_refused,
                self._step_failed,
                clock=self._time,
                history=history,
                encode=encode,
            )
        )
        end = StepPlace.behind(writer.steps[-1] if len(writer) else None)
        self.place = PhonePlace(end, self._place_changed, is_elsewhere=is_elsewhere)
        """Whether the phone is where the next action goes."""
        self._at_rest: ScreenMoment | None = None
        """The screen at rest to which the newest action led."""
        self._at_rest_place: StepPlace | None = None
        """Where that is; None until the action is written as a step."""
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    # Start and end
    @property
    def phase(self) -> Phase:
        return self._phase

    @property
    def pending(self) -> int:
        """Number of steps captured and not yet written."""
        return self._committer.pending

    @property
    def gathered(self) -> int:
        """Characters and key presses that will become one step; 0 while nobody types."""
        with self._lock:
            return self._capture.gathered

    def use_source(self, source: CaptureSource) -> None:
        """Go on with another connection to the same phone."""
        with self._lock:
            self._has_device = True
            self._source = source
            self._monitor.use_source(source)
            self._capture.use_source(source)

    def start(self) -> None:
        """Start the thread that watches the screen."""
        self._thread = threading.Thread(target=self._watch, name="recorder-watcher", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """Look once at the screen and at waiting actions; the monitor's thread calls this continuously."""
        now = self._clock()
        with self._lock:
            self._capture.look(now)
            ready = self._monitor.look(now)
            quiet = self._monitor.is_quiet and not self._capture.is_waiting
            finishing = self._phase is Phase.FINISHING and quiet
        if ready is not None:
            self._remember(ready)
            self.events.emit(ready)
        if finishing:
            self._write_final_state()

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything captured so far is written; False when ``timeout`` seconds pass first."""
        return self._committer.flush(timeout)

    def close(self) -> None:
        """Write what was captured and end the threads. The writer stays open: it belongs to the caller."""
        with self._lock:
            self._capture.interrupt()
            self._capture.stop_waiting()
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self._committer.close()
        # Its parts know each other, and so wait for a collection of cycles: without their screens.
        for part in (self._monitor, self._capture):
            part.close()
        self._at_rest = None

    def _watch(self) -> None:
        while not self._over.wait(LOOK_EVERY_S):
            try:
                self.look()
            except Exception:  # noqa: BLE001 - without this thread no tap would ever be written
                _log.exception("a look at the screen failed")

    # Input
    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        """One event of one finger; the first touch-down freezes the screen as it is."""
        now = self._clock()
        with self._lock:
            if self._is_recording:
                self._capture.pointer(action, pointer, position, now, "")
        self._source.touch(action, pointer, position)

    def key(self, name: str, held_ms: int = 0) -> None:
        """Press a key by its name in :data:`collector.model.action.KEY_NAMES`, and hold it so long."""
        with self._lock:
            if self._is_recording:
                self._capture.key(name, held_ms)
        self._source.key(name, held_ms)

    def text(self, text: str) -> None:
        """Text for the focused field; texts that follow each other become one step."""
        with self._lock:
            if self._is_recording:
                self._capture.text(text)
        self._source.text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        """Turns of the wheel: positive ``vertical`` is up, positive ``horizontal`` is right."""
        with self._lock:
            if self._is_recording:
                self._capture.scroll(position, horizontal, vertical)
        self._source.scroll(position, horizontal, vertical)

    def on_device_touch(self, action: TouchAction, pointer: int, position: Position, time_ns: int,
                        tool: str = "") -> None:  # fmt: skip
        """Record a touch made on the phone itself at ``time_ns``, by a ``tool`` if not by a finger."""
        with self._lock:
            if self._is_recording:
                self._capture.pointer(action, pointer, position, time_ns, ON_DEVICE, tool)

    def on_device_key(self, name: str) -> None:
        """A key goes down on the phone itself; it is recorded and not sent on."""
        with self._lock:
            if self._is_recording:
                self._capture.key_down(name, ON_DEVICE)

    def on_device_key_up(self, name: str, held_ms: int) -> None:
        """A key of the phone itself is lifted after so long: its step is complete."""
        with self._lock:
            if self._is_recording:
                self._capture.key_up(name, held_ms)

    def open_app(self, app: str, name: str = "") -> None:
        """Start an app by its package or by a name alone; ``name`` is what a person calls it."""
        self._capture_plain(OpenApp(app, name) if is_qualified_package(app) else OpenApp(name=app))
        self._source.open_app(app)

    def wait(self, duration_ms: int = 1000) -> None:
        self._capture_plain(Wait(duration_ms))

    def answer(self, text: str) -> None:
        self._capture_plain(Answer(text))

    def complete(self) -> None:
        self._capture_plain(Complete())

    # Phases
    def pause(self, reason: str = "") -> None:
        """Stop making steps. Open typing becomes a step; an unfinished gesture is not recorded."""
        with self._lock:
            if not self._is_recording:
                return
            self._capture.interrupt()
            self._time.pause()
            self._enter(Phase.PAUSED, reason)
        t_ms = self._time.elapsed_ms
        self._committer.with_writer(lambda writer: writer.pause(t_ms))

    def resume(self) -> None:
        """Continue, after writing again what the disk refused."""
        with self._lock:
            if self._phase is not Phase.PAUSED:
                return
            self._lost_device = False
            self.place.accept()
            self._capture.acted()
            self._time.resume()
            self._enter(Phase.RECORDING)
        t_ms = self._time.elapsed_ms
        self._committer.retry()
        self._committer.with_writer(lambda writer: writer.resume(t_ms))

    def device_lost(self, reason: str) -> None:
        """The phone disconnected: pause, and remember to resume when it is back.

        A recording that is being finished ends without a final state: nobody can see it any more.
        """
        with self._lock:
            self._has_device = False
            if self._phase is Phase.FINISHING:
                self._finish_without_state()
            elif self._is_recording:
                if self._capture.is_touching:
                    self.events.emit(RecorderNotice(_("The gesture was cut off and is not recorded"), reason))
                self.pause(reason)
                self._lost_device = True

    def device_back(self) -> None:
        """The phone is back: resume if :meth:`device_lost` paused the recording."""
        self._has_device = True
        if self._lost_device:
            self.resume()

    @property
    def has_lost_device(self) -> bool:
        """Whether the recording is paused until the phone is back."""
        return self._lost_device and self._phase is Phase.PAUSED

    def finish(self) -> None:
        """End the recording. The state after the last action is awaited and written with no action.

        While the phone is lost there is none. Raises UserError without an action, while an edit is being
        written, or with the phone elsewhere.
        """
        with self._lock:
            if self._phase in (Phase.FINISHING, Phase.FINISHED):
                return
            self._capture.interrupt()
            if not self._capture.is_waiting:
                self._committer.require_action()
            if not self._has_device:
                self._finish_without_state()
                return
            self._require_written_edits()
            if not (self._capture.is_waiting or self.pending):  # an unwritten step was done there
                self.place.require_end()
            self._capture.acted()  # the final state gets a tree of its own
            self._enter(Phase.FINISHING)

    # Where the phone is
    @property
    def screen_at_end(self) -> ScreenMoment | None:
        """The screen at rest that was seen where the next action goes; None where none was."""
        return self._at_rest if self._at_rest_place == self.place.wanted else None

    def confirm_place(self, place: StepPlace) -> None:
        """The screen was compared: the phone is at ``place``. Await its state if that is still wanted."""
        with self._lock:
            if self.place.confirm(place) and self._is_recording and not self._capture.is_touching:
                self._capture.acted()

    def _remember(self, ready: NextStateReady) -> None:
        """Keep the screen to which the newest action led."""
        with self._lock:
            if ready.snapshot is None or not self._is_recording:
                return
            is_written = not self.pending and not self.gathered
            if is_written and (self.place.is_elsewhere or self._armed is not None):
                return
            self._at_rest = self._capture.freeze()
            self._at_rest_place = self.place.wanted if is_written else None

    def _place_changed(self, is_elsewhere: bool) -> None:
        self.events.emit(PhonePlaceChanged(is_elsewhere))

    def _note_and_emit(self, event: RecorderEvent) -> None:
        """On the writer's thread: know the place of the next action before anybody hears of the steps."""
        if isinstance(event, StepCommitted):
            place = StepPlace.behind(event.step)
            with self._lock:  # where the next action goes may be changed meanwhile
                self.place.recorded(place, self._next_place())
            if self._at_rest_place is None and not self.pending:
                self._at_rest_place = place
        elif isinstance(event, StepsChanged):
            self._steps_changed()
        self.events.emit(event)

    def _steps_changed(self) -> None:
        self.place.want(self._next_place())

    def _next_place(self) -> StepPlace:
        """Behind the last step, or behind the one before the step that is recorded anew or comes next."""
        steps, index = self._writer.steps, self._armed
        if index is not None and self._inserted is not None:
            index -= self.pending
        before = steps[:index] if index is not None else steps
        return StepPlace.behind(before[-1] if before else None)

    # Events and anomalies
    @property
    def next_index(self) -> int:
        """Index of the next step."""
        place = self._armed
        return len(self._writer) + self.pending if place is None else place

    def note_event(
        self, kind: str, time_ns: int | None, data: Mapping[str, Any], step: int | None = None
    ) -> None:
        """Add a line to ``events.jsonl``, after the steps captured before.

        ``time_ns`` is of the clock, None for now. ``step`` is the index of the step it is about, by default
        that of the next one.
        """
        place = self._armed if step is None else step
        self._committer.event(kind, self._clock() if time_ns is None else time_ns, data, place)

    def interrupt(
        self, injection: str, anomaly: str, time_ns: int, package: str = "", over: str = ""
    ) -> None:
        """An anomaly was injected: the header lists it from now on.

        When it is a dialog of ``package`` over the app ``over``, steps are marked with it until
        :meth:`interruption_over`.
        """
        with self._lock:
            if self._is_recording:
                self._capture.interrupt(keep_gesture=True)
                self._capture.acted()  # the screen changed, so older trees are stale
            self._committer.interrupt(injection, anomaly, time_ns, package, over)

    def interruption_over(self, injection: str, time_ns: int) -> None:
        """The dialog was closed or the change undone, so the screen changed again."""
        with self._lock:
            if self._is_recording:
                self._capture.interrupt(keep_gesture=True)  # the tap that answered is no double tap
            self._committer.interruption_over(injection, time_ns)
            if self._is_recording and not self._capture.is_touching:
                self._capture.acted()

    # Editing
    def undo(self) -> None:
        """Undo the newest edit or step, including one that is still being captured."""
        with self._lock:
            self._capture.interrupt(keep_gesture=True)
            self._capture.stop_waiting()
        super().undo()

    # From captured actions to steps; the lock is held
    @property
    def _is_recording(self) -> bool:
        return self._phase is Phase.RECORDING

    def _capture_plain(self, action: Action) -> None:
        with self._lock:
            if self._is_recording:
                self._capture.plain(action)

    def _on_captured(self, captured: CapturedAction) -> None:
        assert captured.action is not None
        self._at_rest = self._at_rest_place = None
        t_ms = self._commit(captured)
        self.events.emit(StepCaptured(captured.action, t_ms, captured.moment.input_source))

    def _commit(self, captured: CapturedAction) -> int:
        """Commit at the end, in place of the step that is recorded anew, or before one. Returns its time."""
        if self.place.is_elsewhere and not captured.doubt:
            captured = replace(captured, doubt=elsewhere_sentence(self.next_index))
        return self._committer.commit(captured, **self._take_place())

    def _rerecord_changed(self, *, moves: bool = True) -> None:
        self.events.emit(RerecordArmed(self._armed, inserts=self._inserted is not None))
        if moves:
            with self._lock:
                self.place.want(self._next_place())

    @property
    def elapsed_ms(self) -> int:
        """Time recorded so far, without pauses: the clock of the steps."""
        return self._time.elapsed_ms

    def t_ms(self, time_ns: int) -> int:
        """Time of the recording at ``time_ns`` of the clock."""
        return self._time.t_ms(time_ns)

    # Phases and writing
    def _enter(self, phase: Phase, reason: str = "") -> None:
        self._phase = phase
        self.events.emit(RecordingState(phase, reason))

    def _write_final_state(self) -> None:
        with self._lock:
            if self._phase is not Phase.FINISHING:
                return
            self._phase = Phase.FINISHED
            self._armed = self._inserted = None
            moment = self._capture.freeze()
            duration = self._commit(CapturedAction(moment, None))

        def end(writer: TrajectoryWriter) -> None:
            writer.finish(duration)
            self.events.emit(RecordingState(Phase.FINISHED))

        self._committer.with_writer(end)

    def _finish_without_state(self) -> None:
        """End the recording of a phone that is lost; the lock is held."""
        self._phase = Phase.FINISHED
        self._capture.stop_waiting()
        self._armed = self._inserted = None
        t_ms = self._time.elapsed_ms

        def end(writer: TrajectoryWriter) -> None:
            writer.event(PHONE_LOST, t_ms)
            writer.finish()
            self.events.emit(RecordingState(Phase.FINISHED))

        self._committer.with_writer(end)

    def _disk_refused(self, error: UserError) -> None:
        self.events.emit(
            RecorderNotice(
                str(error), _("Free some space or repair the disk, then resume; nothing captured is lost")
            )
        )
        with self._lock:
            if self._is_recording:
                self._capture.interrupt()
                self._enter(Phase.PAUSED, error.what)

    def _step_failed(self, error: Exception) -> None:
        self.events.emit(RecorderNotice(_("A step could not be written: {why}", why=error), _("See the log")))
