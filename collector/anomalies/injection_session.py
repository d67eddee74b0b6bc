"""One phone opened for injections: what is on it, a monitor for its dialogs, and the way back."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from collector.anomalies.dialogs.dialog_monitor import DialogMonitor, wait_until_over
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.foreground_guard import obstacle
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.journal import PendingChange
from collector.anomalies.model import COMPANION_KIND
from collector.anomalies.trust.command_effects import CommandEffects
from collector.anomalies.trust.command_trust import CommandTrust
from collector.anomalies.trust.trust import Ask
from collector.anomalies.undo import UndoResult
from collector.device.device_info import read_app_version, read_foreground
from collector.device.errors import DeviceError
from collector.device.protocols import Cancel, Device
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter

CLOSE_LIMIT_S = 6.0
"""Longest wait for the phone to be restored when a session is closed."""
ANSWER_LIMIT_S = 120.0
"""Longest wait for the answer to a question."""
_POLL_S = 0.1


@dataclass(frozen=True, slots=True)
class ActiveInjections:
    """Every dialog that waits and every change that is not undone, the oldest first."""

    active: tuple[PendingChange, ...]


@dataclass(frozen=True, slots=True)
class PhoneSilent:
    """The phone stopped answering while a dialog is open."""

    error: UserError


@dataclass(frozen=True, slots=True)
class PhoneFront:
    """What decides whether a dialog can be shown on a phone."""

    companion: str = ""
    """Version of the companion app; empty when it is not installed."""
    obstacle: str = ""
    """What lies on top, in words."""
    dark: bool = False
    """Whether the phone is in its dark mode."""


class DangerQuestion:
    """Asks whether one dangerous command may run this once. Without an answer in time it is a no."""

    def __init__(self, effects: CommandEffects) -> None:
        self.effects = effects
        self._answered = threading.Event()
        self._yes = False

    @property
    def is_over(self) -> bool:
        """Whether it was answered, or the time for an answer ended."""
        return self._answered.is_set()

    def answer(self, yes: bool) -> None:
        """Answer, from any thread; the first answer counts."""
        if not self._answered.is_set():
            self._yes = yes
            self._answered.set()

    def wait(self, *cancels: threading.Event) -> bool:
        """Return the answer: no when one of ``cancels`` is set, or after :data:`ANSWER_LIMIT_S`."""
        end = time.monotonic() + ANSWER_LIMIT_S
        while not self._answered.wait(_POLL_S):
            if any(cancel.is_set() for cancel in cancels) or time.monotonic() > end:
                self.answer(False)
        return self._yes


SessionEvent = AnomalyEvent | ActiveInjections | PhoneSilent | DangerQuestion


class InjectionSession:
    """Injects into one phone, follows the dialogs and undoes the changes. Thread-safe; most methods wait.

    The command line and the window both work through it. Without ``ask`` a dangerous command becomes a
    :class:`DangerQuestion` in ``events``; with :meth:`start_monitor` a thread follows open dialogs.
    """

    def __init__(
        self, device: Device, trust: CommandTrust | None = None, *,
        ask: Ask | None = None, next_step: Callable[[], int | None] = lambda: None,
    ) -> None:  # fmt: skip
        """``next_step`` gives the index of the step a recording takes next, None without one."""
        self.events: EventEmitter[SessionEvent] = EventEmitter()
        self.device = device
        self.injector = Injector(device)
        self.injector.step = next_step
        self.injector.events.subscribe(self._on_event)
        self._ask = ask or self._ask_by_event
        self._monitor = DialogMonitor(self.injector)
        self._monitor.lost.subscribe(lambda error: self.events.emit(PhoneSilent(error)))
        self._cancel = threading.Event()
        self._calls: set[threading.Event] = set()
        """Set to end the calls that wait; the end of the session sets them all."""
        self._has_answered = False
        self._lease_cancelled = threading.Event()
        self._abandoned: set[str] = set()
        self.use_trust(trust or CommandTrust())

    def use_trust(self, trust: CommandTrust) -> None:
        """Let the commands that ``trust`` allows run from now on."""
        self.injector.gate = trust.gate(self._ask)

    def start_monitor(self) -> None:
        """Follow open dialogs on a thread, until the session is closed."""
        self._monitor.start()

    @property
    def pending(self) -> tuple[PendingChange, ...]:
        """What is on the phone and can be undone, the oldest first. Raises DeviceError, StoreError."""
        mine = {injection.id: injection for injection in self.injector.injected}
        return tuple(
            replace(change, earlier=change.id not in mine)
            for change in self.injector.pending
            if change.id not in mine or not mine[change.id].is_over
        )

    # -- calls that wait for the phone ---------------------------------------
    def fire(self, request: InjectionRequest, cancel: Cancel | None = None) -> InjectedAnomaly:
        """Inject. Raises what :meth:`Injector.fire` raises, and CallCancelled once ``cancel`` is set."""
        try:
            with self._ended_by(cancel) as ends:
                injection = self.injector.fire(request, ends)
        finally:
            self.emit_active()
        if request.anomaly.kind == COMPANION_KIND:
            self._monitor.wake()
        return injection

    def wait_until_over(self, injection: InjectedAnomaly, seconds: float) -> bool:
        """Follow a dialog without the monitor; False when it is still open after ``seconds``."""
        return wait_until_over(self.injector, injection, seconds, self._cancel)

    def undo(self, injection_id: str = "", cancel: Cancel | None = None) -> list[UndoResult]:
        """Undo one change, or all when none is named.

        Raises what :meth:`Injector.undo` raises, and CallCancelled once ``cancel`` is set.
        """
        try:
            with self._ended_by(cancel) as ends:
                if not injection_id:
                    return self.injector.undo_all(cancel=ends)
                result = self.injector.undo(injection_id, ends)
                return [result] if result is not None else []
        finally:
            self.emit_active()

    @contextlib.contextmanager
    def _ended_by(self, cancel: Cancel | None) -> Iterator[Cancel]:
        """What ends a call: ``cancel``, which the end of the session sets, too."""
        ends = cancel or threading.Event()
        self._calls.add(ends)
        if self._cancel.is_set():
            ends.set()
        try:
            yield ends
        finally:
            self._calls.discard(ends)

    def keep_all(self) -> None:
        """Leave what is still on the phone there on purpose: only an explicit undo takes it back."""
        for injection in self.injector.injected:
            if not injection.is_over and not injection.was_so:
                self.injector.keep(injection.id)

    def restore(self) -> list[UndoResult]:
        """Undo what no injection of this session stands for: what a crash or a lost cable left.

        Raises DeviceError when the phone does not answer, PhoneInUse while another studio changes it.
        """
        alive = {
            injection.id
            for injection in self.injector.injected
            if injection.stage is InjectionStage.OPEN
            or (injection.stage is InjectionStage.ACTIVE and not injection.was_so)
        } - self._abandoned
        left = [change for change in reversed(self.injector.pending) if _is_left(change, alive)]
        self._has_answered = True
        try:
            results = [self.injector.undo(change.id, self._cancel) for change in left]
        finally:
            self.emit_active()
        return [result for result in results if result is not None]

    @contextlib.contextmanager
    def leased(self, cancelled: threading.Event) -> Iterator[Injector]:
        """Lend the injector to a run that injects, follows and undoes by itself.

        What the run leaves, as when the phone went away, is undone by :meth:`restore`. Open questions end
        as a no once ``cancelled`` is set.
        """
        known, step = {injection.id for injection in self.injector.injected}, self.injector.step
        self._lease_cancelled = cancelled
        try:
            yield self.injector
        finally:
            self.injector.step = step
            self._lease_cancelled = threading.Event()
            self._abandoned |= {injection.id for injection in self.injector.injected} - known
            self.emit_active()

    def front(self, cancel: Cancel | None = None) -> PhoneFront:
        """Read what is in front. Raises DeviceError, and CallCancelled once ``cancel`` is set."""
        ends = cancel or self._cancel
        version = read_app_version(self.device, COMPANION_PACKAGE, ends)
        night = self.device.shell("cmd uimode night", cancel=ends).text
        return PhoneFront(version, obstacle(read_foreground(self.device, ends)), "Night mode: yes" in night)

    def close(self, *, restore: bool = True) -> None:
        """End the monitor and undo what was not kept on purpose, within :data:`CLOSE_LIMIT_S`.

        With ``restore`` unset everything stays in the undo journal.
        """
        self._cancel.set()
        for ends in tuple(self._calls):
            ends.set()
        self._monitor.close()
        try:
            if restore:
                self._restore_at_close()
        finally:
            self.injector.close()

    def _restore_at_close(self) -> None:
        limit = threading.Event()
        timer = threading.Timer(CLOSE_LIMIT_S, limit.set)
        timer.daemon = True
        timer.start()
        try:
            if self._has_answered and any(not change.kept for change in self.injector.pending):
                self.injector.undo_all(kept=False, cancel=limit)
        except UserError:
            pass  # it stays in the journal: the next connection undoes it
        finally:
            timer.cancel()
            timer.join()

    # -- events, from any thread ---------------------------------------------
    def emit_active(self) -> None:
        """Emit what is on the phone, once the phone has answered."""
        if not self._has_answered:
            return
        try:
            pending = self.pending
        except (DeviceError, UserError):
            return
        self.events.emit(ActiveInjections(pending))

    def _on_event(self, event: AnomalyEvent) -> None:
        self._has_answered = True
        self.events.emit(event)
        self.emit_active()

    def _ask_by_event(self, effects: CommandEffects) -> bool:
        question = DangerQuestion(effects)
        self.events.emit(question)
        return question.wait(self._cancel, self._lease_cancelled, *tuple(self._calls))


def _is_left(change: PendingChange, alive: set[str]) -> bool:
    return not change.kept and (change.id not in alive or bool(change.problem))
