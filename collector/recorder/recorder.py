"""The recorder: what a person does on the mirror goes to the phone at once and to the disk behind.

Three threads meet here. The caller's (a window's) never waits: it takes references and
queues. The watcher's looks at pictures. The writer's encodes and writes, in order.
"""

from __future__ import annotations

import datetime as dt
import logging
import threading
import time
from collections.abc import Callable

from collector.hierarchy.describe import click_target, focused_field, takes_text
from collector.model.action import Action, Answer, Complete, Impossible, Key, OpenApp, Scroll, Type, Wait
from collector.model.errors import UserError
from collector.model.geometry import Point, Position, Rect
from collector.model.listeners import Listeners
from collector.model.touch import TouchAction
from collector.model.tree import Node
from collector.model.words import _
from collector.recorder.committer import Committer
from collector.recorder.events import Phase, Problem, RecorderEvent, RecordingState, StepCaptured
from collector.recorder.gestures import Gesture, GestureClassifier
from collector.recorder.keypad import PadKey, is_character_key, key_of
from collector.recorder.moment import Moment, Taken
from collector.recorder.redact import touches
from collector.recorder.settle import PictureHistory, SettleDetector
from collector.recorder.source import CaptureSource
from collector.recorder.typed import TypingMerge
from collector.recorder.watcher import Watcher
from collector.recorder.worker import Worker
from collector.store.writer import TrajectoryWriter

LOOK_EVERY_S = 0.04
_SCROLL_PAUSE_NS = 400_000_000
_RESTART_GAP_MS = 1000
_PAD_PAUSE_NS = 5_000_000_000
_NAMELESS = "\u2022"
_log = logging.getLogger(__name__)
Clock = Callable[[], int]


class Recorder:
    """Records one trajectory. Every public method returns at once, except :meth:`flush` and :meth:`close`.

    Actions always reach the phone; they become steps while the phase is RECORDING.
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
    ) -> None:
        """``clock`` is monotonic nanoseconds, the clock frames and trees are stamped with.

        ``hide_passwords`` keeps password fields off the disk: text, pictures and typing.
        """
        self.events: Listeners[RecorderEvent] = Listeners()
        self._source = source
        self._clock = clock
        self._wall = wall
        self._lock = threading.RLock()
        self._phase = Phase.RECORDING
        self._lost_device = False
        self._regions: tuple[Rect, ...] = ()
        self._hide_passwords = hide_passwords
        self._classifier = GestureClassifier(source.density, long_press_ms)
        self._moments: dict[int, Moment] = {}
        self._typing = TypingMerge()
        self._typing_moment: Moment | None = None
        self._typed_into: Node | None = None
        self._pad = TypingMerge(_PAD_PAUSE_NS)
        self._pad_moment: Moment | None = None
        self._wheel: _Wheel | None = None
        self._touched: Node | None = None
        self._acted_ns = 0
        self._replaces: int | None = None
        self._inserts: int | None = None
        self._captured = 0
        resumed_at = writer.steps[-1].t_ms + _RESTART_GAP_MS if len(writer) else 0
        self._began_ns = clock() - resumed_at * 1_000_000
        history = PictureHistory()
        self._watcher = Watcher(source, history, settle or SettleDetector())
        self._committer = Committer(writer, history, self.events.tell, self._disk_refused)
        self._worker = Worker("recorder-writer", self._step_failed)
        self._over = threading.Event()
        self._thread: threading.Thread | None = None

    # Life

    @property
    def phase(self) -> Phase:
        return self._phase

    @property
    def pending(self) -> int:
        """Steps captured and not yet on the disk."""
        return self._captured - self._committer.done

    def start(self) -> None:
        """Begin to watch the screen on a thread of its own."""
        self._thread = threading.Thread(target=self._watch, name="recorder-watcher", daemon=True)
        self._thread.start()

    def look(self) -> None:
        """One look at the screen and at what is waiting; the watcher's thread does this all the time."""
        now = self._clock()
        with self._lock:
            self._take_gestures(self._classifier.tick(now))
            if self._typing.is_over(now):
                self._close_typing()
            if self._pad.is_over(now) and not self._classifier.is_touching:
                self._close_pad()
            if self._wheel is not None and now - self._wheel.last_ns >= _SCROLL_PAUSE_NS:
                self._close_wheel()
            ready = self._watcher.look(now)
            finishing = self._phase is Phase.FINISHING and self._watcher.is_quiet
        if ready is not None:
            self.events.tell(ready)
        if finishing:
            self._write_final_state()

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all captured so far is on the disk; False when ``timeout`` seconds went by first."""
        return self._worker.flush(timeout)

    def close(self) -> None:
        """Commit what was captured and end the threads. The writer stays open: it belongs to the caller."""
        with self._lock:
            self._interrupt()
        self._over.set()
        if self._thread is not None:
            self._thread.join()
        self._worker.close()

    def _watch(self) -> None:
        while not self._over.wait(LOOK_EVERY_S):
            try:
                self.look()
            except Exception:  # noqa: BLE001 - without the watcher no tap would ever be committed
                _log.exception("a look at the screen failed")

    # Acting

    def pointer(self, action: TouchAction, pointer: int, position: Position) -> None:
        """One event of one finger; a first touch-down freezes the screen as it is."""
        now = self._clock()
        with self._lock:
            if self._is_recording:
                self._pointer(action, pointer, position, now)
        self._source.touch(action, pointer, position)

    def key(self, name: str) -> None:
        """Press a key by its name in :data:`collector.model.action.KEY_NAMES`."""
        with self._lock:
            if self._is_recording:
                self._take_gestures(self._classifier.flush())
                self._close_wheel()
                open_typing = next((one for one in (self._typing, self._pad) if one.is_open), None)
                if name == "delete" and open_typing is not None:
                    open_typing.backspace(self._acted())
                else:
                    self._close_typing()
                    self._close_pad()
                    self._take(Key(name), self._freeze())
                    self._acted()
        self._source.key(name)

    def text(self, text: str) -> None:
        """Text for the focused field; what follows each other becomes one step."""
        with self._lock:
            if self._is_recording:
                self._take_gestures(self._classifier.flush())
                self._close_wheel()
                self._close_pad()
                if not self._typing.is_open:
                    self._typing_moment = self._freeze()
                    touched = self._touched
                    self._typed_into = touched if touched is not None and takes_text(touched) else None
                self._typing.add(text, self._acted())
        self._source.text(text)

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        """Turns of a wheel: positive ``vertical`` is up, positive ``horizontal`` is right."""
        with self._lock:
            if self._is_recording:
                self._take_gestures(self._classifier.flush())
                self._close_typing()
                self._close_pad()
                if self._wheel is None:
                    moment = self._freeze()
                    self._wheel = _Wheel(moment, position.on(moment.screen))
                self._wheel.turn(horizontal, vertical, self._acted())
        self._source.scroll(position, horizontal, vertical)

    def open_app(self, package: str, name: str = "") -> None:
        """Start an app; ``name`` is what a person calls it."""
        self._take_plain(OpenApp(package, name))
        self._source.open_app(package)

    def wait(self, duration_ms: int = 1000) -> None:
        self._take_plain(Wait(duration_ms))

    def answer(self, text: str) -> None:
        self._take_plain(Answer(text))

    def complete(self) -> None:
        self._take_plain(Complete())

    def impossible(self, reason: str = "") -> None:
        self._take_plain(Impossible(reason))

    # Phases

    def pause(self, reason: str = "") -> None:
        """Stop making steps; what is being typed is closed, a gesture in flight is not recorded."""
        with self._lock:
            if not self._is_recording:
                return
            self._interrupt()
            self._enter(Phase.PAUSED, reason)
        t_ms = self._t_ms(self._clock())
        self._with_writer(lambda writer: writer.pause(t_ms))

    def resume(self) -> None:
        """Go on, and first write again what the disk refused."""
        with self._lock:
            if self._phase is not Phase.PAUSED:
                return
            self._lost_device = False
            self._acted()
            self._enter(Phase.RECORDING)
        t_ms = self._t_ms(self._clock())
        self._worker.submit(self._committer.retry)
        self._with_writer(lambda writer: writer.resume(t_ms))

    def device_lost(self, reason: str) -> None:
        """The phone went away: pause by itself, and remember that nobody asked for it."""
        with self._lock:
            if self._is_recording:
                if self._classifier.is_touching:
                    self.events.tell(Problem(_("The gesture was cut off and is not recorded"), reason))
                self.pause(reason)
                self._lost_device = True

    def device_back(self) -> None:
        """The phone is back: go on if it was its going away that paused."""
        if self._lost_device:
            self.resume()

    def finish(self) -> None:
        """End the recording: the state the last action led to is awaited and written with no action."""
        with self._lock:
            if self._phase in (Phase.FINISHING, Phase.FINISHED):
                return
            self._interrupt()
            self._acted()  # the final state gets a tree of its own
            self._enter(Phase.FINISHING)

    # Editing

    def undo(self) -> None:
        """Take back the newest change or step."""
        with self._lock:
            self._interrupt(keep_gesture=True)
        self._edit(_("Undo"), lambda writer: writer.undo())

    def redo(self) -> None:
        self._edit(_("Redo"), lambda writer: writer.redo())

    def delete(self, *indexes: int) -> None:
        self._edit(_("Delete"), lambda writer: writer.delete(*indexes))

    def trim(self, start: int, stop: int) -> None:
        """Keep the steps from ``start`` up to, not including, ``stop``."""
        self._edit(_("Trim"), lambda writer: writer.trim(start, stop))

    def note(self, index: int, text: str) -> None:
        self._reword(index, note=text)

    def intention(self, index: int, text: str) -> None:
        self._reword(index, intention=text)

    def describe(self, index: int, text: str) -> None:
        """Set the caption of a step."""
        self._reword(index, description=text)

    def rerecord(self, index: int) -> None:
        """The next action takes the place of the step at ``index``, with its note and intention."""
        with self._lock:
            self._replaces, self._inserts = index, None

    def insert_before(self, index: int) -> None:
        """The next actions go before the step at ``index``, until :meth:`append_at_end`."""
        with self._lock:
            self._replaces, self._inserts = None, index

    def append_at_end(self) -> None:
        """The next actions go to the end, as they do from the beginning."""
        with self._lock:
            self._replaces = self._inserts = None

    def set_private_regions(self, regions: tuple[Rect, ...]) -> None:
        """Places on the screen, in device pixels: from now on black in pictures, without words in trees."""
        with self._lock:
            self._regions = regions

    # How: capturing (all under the lock)

    @property
    def _is_recording(self) -> bool:
        return self._phase is Phase.RECORDING

    def _freeze(self, now: int | None = None) -> Moment:
        source = self._source
        snapshot = source.newest_tree()
        package, activity = source.foreground()
        return Moment(
            time_ns=self._clock() if now is None else now,
            wall_time=self._wall(),
            frame=source.newest_frame(),
            snapshot=snapshot,
            package=package or (snapshot.package if snapshot is not None else ""),
            activity=activity or (snapshot.activity if snapshot is not None else ""),
            screen=source.screen_size,
            rotation=source.rotation,
            frame_source=source.frame_source,
            acted_ns=self._acted_ns,
            regions=self._regions,
            hides_passwords=self._hide_passwords,
            secure=source.secure,
        )

    def _pointer(self, action: TouchAction, pointer: int, position: Position, now: int) -> None:
        if action is TouchAction.DOWN and not self._classifier.is_touching:
            self._close_typing()
            self._close_wheel()
            while now in self._moments:
                now += 1
            self._moments[now] = self._freeze(now)
        point = position.on(self._source.screen_size)
        self._take_gestures(self._classifier.feed(action, pointer, point, now))
        self._take_gestures(self._classifier.flush_if(self._is_on_pad))
        if not self._classifier.is_touching:
            self._acted()
            if self._classifier.deadline_ns is None:
                self._moments.clear()  # those of a cancelled gesture and of the second touch of a double tap

    def _take_gestures(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            moment = self._moments.pop(gesture.started_ns)
            key = self._pad_key(gesture.action, moment)
            if key is not None:
                self._press(key, moment, gesture.finished_ns)
                continue
            self._close_pad()
            if moment.tree is not None and gesture.action.point is not None:
                self._touched = click_target(moment.tree, gesture.action.point)
            self._take(gesture.action, moment)

    def _take(self, action: Action | None, moment: Moment, **details: object) -> None:
        t_ms = self._t_ms(moment.time_ns)
        taken = Taken(moment, action, t_ms, replaces=self._replaces, inserts=self._inserts, **details)  # type: ignore[arg-type]
        self._replaces = None
        if self._inserts is not None:
            self._inserts += 1
        self._captured += 1
        self._worker.submit(lambda: self._committer.commit(taken))
        if action is not None:
            self.events.tell(StepCaptured(action, t_ms))

    def _take_plain(self, action: Action) -> None:
        with self._lock:
            if self._is_recording:
                self._interrupt(keep_gesture=True)
                self._take(action, self._freeze())
                self._acted()

    def _close_typing(self) -> None:
        moment, typed = self._typing_moment, self._typing.close()
        if typed is None or moment is None:
            return
        extra = {"erased": typed.erased} if typed.erased else {}
        if self._is_secret(moment):
            # The field as it was touched is not passed on: it may hold words the masked tree no longer has.
            self._take(Type("", len(typed.text), redacted=True), moment, extra=extra)
        else:
            self._take(Type(typed.text, len(typed.text)), moment, into=self._typed_into, extra=extra)

    def _is_on_pad(self, gesture: Gesture) -> bool:
        return self._pad_key(gesture.action, self._moments[gesture.started_ns]) is not None

    def _pad_key(self, action: Action, moment: Moment) -> PadKey | None:
        """The key of a PIN pad that was touched, where keys are to stay hidden."""
        if not self._hide_passwords or not (moment.secure or self._source.secure):
            return None
        newest = self._source.newest_tree()
        return key_of((moment.tree, newest.tree if newest is not None else None), action)

    def _press(self, key: PadKey, moment: Moment, now_ns: int) -> None:
        """Count a key; which one it was is forgotten here."""
        if not self._pad.is_open:
            self._pad_moment = moment
        if key is PadKey.ERASE:
            self._pad.backspace(now_ns)
        else:
            self._pad.add(_NAMELESS, now_ns)

    def _close_pad(self) -> None:
        moment, typed = self._pad_moment, self._pad.close()
        self._pad_moment = None
        if typed is not None and moment is not None:
            extra = {"erased": typed.erased} if typed.erased else {}
            self._take(Type("", len(typed.text), redacted=True), moment, extra=extra)

    def _is_secret(self, moment: Moment) -> bool:
        """Whether the typed text may be a password; in doubt it is."""
        newest = self._source.newest_tree()
        trees = [moment.tree, newest.tree if newest is not None else None]
        fields = [focused_field(tree) for tree in trees if tree is not None]
        for node in (*fields, self._typed_into):
            if node is not None and (self._is_password(node) or touches(node.bounds, self._regions)):
                return True
        into_pad = all(node is None or is_character_key(node) for node in fields)
        if self._hide_passwords and moment.secure and into_pad:
            return True
        behind = moment.snapshot is None or moment.snapshot.started_ns < moment.acted_ns
        return behind and any(self._is_password(node) for tree in trees if tree is not None for node in tree)

    def _is_password(self, node: Node) -> bool:
        return self._hide_passwords and node.password

    def _close_wheel(self) -> None:
        wheel, self._wheel = self._wheel, None
        if wheel is not None:
            self._take(Scroll(wheel.point.x, wheel.point.y, wheel.direction), wheel.moment)

    def _interrupt(self, keep_gesture: bool = False) -> None:
        """Close whatever is still open, in the order it began."""
        self._take_gestures(self._classifier.flush())
        if self._classifier.is_touching and not keep_gesture:
            self._classifier.feed(TouchAction.CANCEL, 0, Point(0, 0), self._clock())
            self._moments.clear()
        self._close_typing()
        self._close_pad()
        self._close_wheel()

    def _acted(self) -> int:
        now = self._acted_ns = self._clock()
        self._watcher.acted(now)
        return now

    def _t_ms(self, time_ns: int) -> int:
        return max(0, (time_ns - self._began_ns) // 1_000_000)

    # How: phases and writing

    def _enter(self, phase: Phase, reason: str = "") -> None:
        self._phase = phase
        self.events.tell(RecordingState(phase, reason))

    def _write_final_state(self) -> None:
        with self._lock:
            if self._phase is not Phase.FINISHING:
                return
            self._phase = Phase.FINISHED
            self.append_at_end()
            moment = self._freeze()
            self._take(None, moment)
        duration = self._t_ms(moment.time_ns)

        def end(writer: TrajectoryWriter) -> None:
            writer.finish(duration)
            self.events.tell(RecordingState(Phase.FINISHED))

        self._with_writer(end)

    def _disk_refused(self, error: UserError) -> None:
        self.events.tell(
            Problem(str(error), _("Make room or mend the disk, then resume; nothing captured is lost"))
        )
        with self._lock:
            if self._is_recording:
                self._interrupt()
                self._enter(Phase.PAUSED, error.what)

    def _step_failed(self, error: Exception) -> None:
        self.events.tell(Problem(_("A step could not be written: {why}", why=error), _("See the log")))

    def _reword(self, index: int, **words: str) -> None:
        def change(writer: TrajectoryWriter) -> None:
            writer.reword(index, **words)

        self._edit(_("Reword"), change)

    def _edit(self, title: str, change: Callable[[TrajectoryWriter], str | None]) -> None:
        self._worker.submit(lambda: self._committer.edit(title, change))

    def _with_writer(self, job: Callable[[TrajectoryWriter], None]) -> None:
        self._worker.submit(lambda: self._committer.with_writer(job))


class _Wheel:
    """Turns of a wheel that follow each other: one scroll."""

    def __init__(self, moment: Moment, point: Point) -> None:
        self.moment = moment
        self.point = point
        self.last_ns = moment.time_ns
        self._sums = [0.0, 0.0]

    def turn(self, horizontal: float, vertical: float, now_ns: int) -> None:
        self._sums = [one + other for one, other in zip(self._sums, (horizontal, vertical), strict=True)]
        self.last_ns = now_ns

    @property
    def direction(self) -> str:
        across, up = self._sums
        if abs(across) > abs(up):
            return "right" if across > 0 else "left"
        return "up" if up > 0 else "down"
