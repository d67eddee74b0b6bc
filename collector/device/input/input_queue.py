"""Send input to the phone in order, on one thread; drop gestures aimed at a screen that has rotated."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable

from collector.adb.keys import action_key
from collector.device.errors import CallCancelled, DeviceError
from collector.device.events import DeviceEvent
from collector.device.protocols import InputSink
from collector.model.geometry import Position, Size
from collector.model.i18n import _
from collector.model.phone.touch import TouchAction

_JOIN = 5.0
_POLL_S = 0.1


class InputQueue:
    """Queue input for a sink. Methods return at once unless they say so; failures become messages."""

    def __init__(self, emit: Callable[[DeviceEvent], None]) -> None:
        self._emit = emit
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._once: set[Callable[[], None]] = set()
        self._sink: InputSink | None = None
        self._screen = Size(0, 0)
        self._generation = 0
        self._down: dict[int, Position] = {}
        self._closed = threading.Event()
        self._thread = threading.Thread(target=self._run, name="device input", daemon=True)

    @property
    def waiting(self) -> int:
        """Number of inputs not yet sent."""
        return self._work.qsize()

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Drop what was not sent; waits for the thread."""
        self._closed.set()
        self._work.put(lambda: None)
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(_JOIN)
        if self._sink is not None:
            self._sink.close()

    def use(self, sink: InputSink | None) -> None:
        """Send through another sink from now on; gestures in progress end with the old one."""
        self._generation += 1

        def change() -> None:
            before, self._sink = self._sink, sink
            self._down.clear()
            if before is not None:
                before.close()

        self.do(change)

    def screen_changed(self, size: Size) -> None:
        """Cancel gestures in progress: their positions are invalid on a screen of another size."""
        self._screen = size
        self._generation += 1
        self.do_once(self._cancel_gestures)

    def _cancel_gestures(self) -> None:
        down, self._down = self._down, {}
        for pointer, position in down.items():
            if self._sink is not None:
                self._sink.touch(
                    TouchAction.CANCEL, pointer, Position(position.on(self._screen), self._screen)
                )

    def touch(self, action: TouchAction, pointer: int, position: Position) -> None:
        generation = self._generation
        self.do(lambda: self._touch(generation, action, pointer, position))

    def key(self, name: str, held_ms: int = 0) -> None:
        """A key of the action space, ``select_all`` or ``code:<number>``; ValueError for others."""
        code, meta = action_key(name)
        self.send(lambda sink: sink.key(code, meta, held_ms))

    @property
    def max_pointers(self) -> int:
        """Number of simultaneous pointers of the present sink."""
        return self._sink.max_pointers if self._sink is not None else 1

    def send_and_wait(self, work: Callable[[InputSink], None], cancel: threading.Event) -> None:
        """Like :meth:`send`, but wait until it is done. Raises CallCancelled, and DeviceError when it fails
        or when no phone is connected.
        """
        done, failed = threading.Event(), list[DeviceError]()

        def run() -> None:
            try:
                if self._sink is None:
                    raise DeviceError(_("The phone takes no input now"), _("its connection is away"))
                work(self._sink)
            except DeviceError as error:
                failed.append(error)
            finally:
                done.set()

        self.do(run)
        while not done.wait(_POLL_S):
            if cancel.is_set() or self._closed.is_set():
                raise CallCancelled("input")
        if failed:
            raise failed[0]

    def send(self, work: Callable[[InputSink], None]) -> None:
        """Run ``work`` with the sink; nothing happens while there is none."""

        def run() -> None:
            if self._sink is not None:
                work(self._sink)

        self.do(run)

    def do(self, work: Callable[[], None]) -> None:
        """Run ``work`` on the input thread, after everything queued before."""
        self._work.put(work)

    def do_once(self, work: Callable[[], None]) -> None:
        """As :meth:`do`, unless the same work waits already: a phone may give reason for it all the time."""
        if work in self._once:
            return
        self._once.add(work)

        def run() -> None:
            self._once.discard(work)
            work()

        self.do(run)

    def _touch(self, generation: int, action: TouchAction, pointer: int, position: Position) -> None:
        if action is TouchAction.DOWN:
            if generation != self._generation or self._sink is None or self._is_outdated(position):
                return
            self._down[pointer] = position
        elif generation != self._generation or pointer not in self._down:
            return
        elif action is TouchAction.MOVE:
            self._down[pointer] = position
        else:
            del self._down[pointer]
        if self._sink is not None:
            self._sink.touch(action, pointer, position)

    def _is_outdated(self, position: Position) -> bool:
        """Whether the position is for the screen before it rotated."""
        now, then = self._screen, position.screen
        if now.is_empty or now.width == now.height:
            return False
        return (now.width > now.height) != (then.width > then.height)

    def _run(self) -> None:
        while not self._closed.is_set():
            work = self._work.get()
            if self._closed.is_set():
                return
            try:
                work()
            except CallCancelled:
                return
            except DeviceError as error:
                self._emit(DeviceEvent("message", str(error)))
