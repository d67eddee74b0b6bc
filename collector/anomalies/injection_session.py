"""One phone's injections with the thread that watches them; no Qt, and every method but a few waits."""

from __future__ import annotations

import contextlib
import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from collector.anomalies.command_effects import CommandEffects
from collector.anomalies.dialog_monitor import DialogMonitor
from collector.anomalies.events import AnomalyEvent
from collector.anomalies.foreground_guard import obstacle
from collector.anomalies.injected_anomaly import InjectedAnomaly, InjectionStage
from collector.anomalies.injector import InjectionRequest, Injector
from collector.anomalies.journal import PendingChange
from collector.anomalies.model import COMPANION_KIND
from collector.anomalies.trust import CommandGate
from collector.anomalies.undo import UndoResult
from collector.device.adb_device import AdbDevice
from collector.device.device_info import read_app_version, read_foreground
from collector.device.errors import DeviceError
from collector.device.protocols import Device
from collector.model.anomaly_terms import COMPANION_PACKAGE
from collector.model.errors import UserError
from collector.model.event_emitter import EventEmitter

PARTING_S = 6.0
"""How long the end of a studio waits for a phone to be set right."""
ANSWER_S = 120.0
"""How long a question waits for its answer."""
_LOOK_S = 0.1


@dataclass(frozen=True, slots=True)
class ActiveInjection:
    """What is on the phone now: a dialog that waits, or a change that is not taken back."""

    id: str
    anomaly: str
    native: bool
    since: dt.datetime | None = None
    undo: tuple[str, ...] = ()
    """The commands that take it back, as they run."""
    kept: bool = False
    earlier: bool = False
    """It was left by a studio before this one."""
    problem: str = ""
    """Why taking it back did not work the last time."""


@dataclass(frozen=True, slots=True)
class ActiveInjections:
    """Everything that is on the phone, in the order in which it came."""

    active: tuple[ActiveInjection, ...]


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
    """Whether one dangerous command may run this once; nobody's answer is no."""

    def __init__(self, touched: CommandEffects) -> None:
        self.touched = touched
        self._answered = threading.Event()
        self._yes = False

    @property
    def is_over(self) -> bool:
        """Whether it is answered, by a person or as nobody's no."""
        return self._answered.is_set()

    def answer(self, yes: bool) -> None:
        """Any thread; the first answer counts."""
        if not self._answered.is_set():
            self._yes = yes
            self._answered.set()

    def wait(self, *cancels: threading.Event) -> bool:
        """The answer, no when one of ``cancels`` is set or nobody gives one for two minutes."""
        end = time.monotonic() + ANSWER_S
        while not self._answered.wait(_LOOK_S):
            if any(cancel.is_set() for cancel in cancels) or time.monotonic() > end:
                self.answer(False)
        return self._yes


SessionEvent = AnomalyEvent | ActiveInjections | PhoneSilent | DangerQuestion


class InjectionSession:
    """Made when a phone comes into use, closed when it is let go. Thread-safe."""

    def __init__(
        self, serial: str, step: Callable[[], int | None], make_device: Callable[[str], Device] | None = None
    ) -> None:
        """``step`` gives the index of the step that is to come in a recording, None without one."""
        self.serial = serial
        self.told: EventEmitter[SessionEvent] = EventEmitter()
        self.device = (make_device or AdbDevice)(serial)
        self.injector = Injector(self.device)
        self.injector.step = step
        self.injector.events.subscribe(self._happened)
        self._watch = DialogMonitor(self.injector)
        self._watch.lost.subscribe(self._lost)
        self._cancel = threading.Event()
        self._knows = False
        self._given_up = threading.Event()
        self._forsaken: set[str] = set()
        self._watch.start()

    def use_gate(self, trusts: Callable[[str], bool] | None) -> None:
        """Whose commands may run from now on; ours alone without ``trusts``."""
        self.injector.gate = CommandGate(trusts, self._ask)

    # -- waiting calls, for jobs ---------------------------------------------
    def restore(self) -> list[UndoResult]:
        """Take back what no living injection of ours stands for: what a crash or a lost cable left.

        Raises DeviceError when the phone does not answer, PhoneTaken while another studio changes it.
        """
        alive = {
            one.id
            for one in self.injector.injected
            if one.stage is InjectionStage.OPEN or (one.stage is InjectionStage.ACTIVE and not one.was_so)
        } - self._forsaken
        left = [one for one in reversed(self.injector.pending) if self._is_left(one, alive)]
        self._knows = True
        try:
            found = [self.injector.undo(one.id, self._cancel) for one in left]
        finally:
            self.tell_now()
        return [one for one in found if one is not None]

    @staticmethod
    def _is_left(one: PendingChange, alive: set[str]) -> bool:
        return not one.kept and (one.id not in alive or bool(one.problem))

    def fire(self, request: InjectionRequest) -> InjectedAnomaly:
        """Raises what :meth:`Injector.fire` raises."""
        try:
            one = self.injector.fire(request, self._cancel)
        finally:
            self.tell_now()
        if request.anomaly.kind == COMPANION_KIND:
            self._watch.wake()
        return one

    def undo(self, injection: str) -> list[UndoResult]:
        """Take one change back, or all when none is named; raises what :meth:`Injector.undo` raises."""
        try:
            if not injection:
                return self.injector.undo_all(cancel=self._cancel)
            taken = self.injector.undo(injection, self._cancel)
            return [taken] if taken is not None else []
        finally:
            self.tell_now()

    @contextlib.contextmanager
    def lent(self, given_up: threading.Event) -> Iterator[Injector]:
        """The injector for somebody who injects, follows and takes back himself.

        What he leaves, as when the phone went away, is nobody's: :meth:`restore` takes it back. Questions
        end as a no once ``given_up`` is set.
        """
        known, step = {one.id for one in self.injector.injected}, self.injector.step
        self._given_up = given_up
        try:
            yield self.injector
        finally:
            self.injector.step = step
            self._given_up = threading.Event()
            self._forsaken |= {one.id for one in self.injector.injected} - known
            self.tell_now()

    def front(self) -> PhoneFront:
        """Raises DeviceError."""
        version = read_app_version(self.device, COMPANION_PACKAGE, self._cancel)
        night = self.device.shell("cmd uimode night", cancel=self._cancel).text
        return PhoneFront(
            version, obstacle(read_foreground(self.device, self._cancel)), "Night mode: yes" in night
        )

    def close(self) -> None:
        """End the watch and take back what was not left on purpose; seconds at the worst."""
        self._cancel.set()
        self._watch.close()
        end = threading.Event()
        timer = threading.Timer(PARTING_S, end.set)
        timer.daemon = True
        timer.start()
        try:
            if self._knows and any(not one.kept for one in self.injector.pending):
                self.injector.undo_all(kept=False, cancel=end)
        except UserError:
            pass  # it stays in the journal: the next connection takes it back
        finally:
            timer.cancel()
            timer.join()
            self.injector.close()

    # -- what is told, on any thread -----------------------------------------
    def tell_now(self) -> None:
        """Tell what is on the phone; nothing before it has answered once."""
        if not self._knows:
            return
        try:
            pending = self.injector.pending
        except (DeviceError, UserError):
            return
        mine = {one.id: one for one in self.injector.injected}
        shown = [one for one in pending if not (one.id in mine and mine[one.id].is_over)]
        self.told.emit(ActiveInjections(tuple(_active(one, one.id not in mine) for one in shown)))

    def _happened(self, event: AnomalyEvent) -> None:
        self._knows = True
        self.told.emit(event)
        self.tell_now()

    def _lost(self, error: UserError) -> None:
        self.told.emit(PhoneSilent(error))

    def _ask(self, found: CommandEffects) -> bool:
        question = DangerQuestion(found)
        self.told.emit(question)
        return question.wait(self._cancel, self._given_up)


def _active(one: PendingChange, earlier: bool) -> ActiveInjection:
    try:
        since = dt.datetime.fromisoformat(one.since)
    except ValueError:
        since = None
    return ActiveInjection(one.id, one.anomaly, one.native, since, one.undo, one.kept, earlier, one.problem)
