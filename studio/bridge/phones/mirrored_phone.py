"""One phone that gets the input of another: acts wait until its screen is at rest, and go in order."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from PySide6.QtCore import QObject, QTimer, Signal, Slot

from collector.device.protocols import InputTarget
from collector.model.geometry import Position
from collector.model.i18n import _, join_sentences
from collector.model.phone.touch import TouchAction
from collector.replay.mirrored_touch import (
    MirroredGesture,
    MirrorScreen,
    NotMirrored,
    mirror_gesture,
    mirror_place,
)
from studio.bridge.phones.phone import PhoneLink
from studio.bridge.recording import Recording

_LOOK_MS = 50
REACT_S, LONGEST_REACTION_S = 0.35, 1.0
"""How long a phone gets to show that something was done, at least and while its picture is the same."""
PATIENCE_S = 4.0
"""How long a touch waits for the screen on which it has a place, as while an app starts."""
_LONGEST_S = 6.0
"""How long a screen that moves all the time is waited for; then the newest tree counts."""


@dataclass(frozen=True, slots=True)
class FingerEvent:
    """One event of a finger, ``after_s`` seconds after the gesture began."""

    after_s: float
    action: TouchAction
    pointer: int
    position: Position


@dataclass(slots=True)
class FingerGesture:
    """What fingers did, and the screen on which they came down."""

    screen: MirrorScreen
    begun_s: float
    events: list[FingerEvent] = field(default_factory=list)
    needs_rest = True

    @property
    def is_down(self) -> bool:
        """Whether a finger is still on the screen."""
        down = {event.pointer for event in self.events if event.action is TouchAction.DOWN}
        return any(
            next(event for event in reversed(self.events) if event.pointer == pointer).action
            not in (TouchAction.UP, TouchAction.CANCEL)
            for pointer in down
        )

    @property
    def first_finger(self) -> list[Position]:
        """The way of the finger that came down first."""
        return [event.position for event in self.events if event.pointer == self.events[0].pointer]


@dataclass(frozen=True, slots=True)
class WheelTurn:
    """Turns of the wheel at a place of a screen."""

    screen: MirrorScreen
    position: Position
    horizontal: float
    vertical: float
    needs_rest = False


@dataclass(frozen=True, slots=True)
class PlainInput:
    """Keys, texts and what else goes to a phone as it is, through its target of input."""

    send: Callable[[InputTarget, PhoneLink], None]
    needs_rest: bool = False


MirroredAct = FingerGesture | WheelTurn | PlainInput


class MirroredPhone(QObject):
    """Sends acts of the phone in front to another one, through its recorder while it is recorded.

    What has no place there is not sent, and :attr:`problem` says so until the next act is. GUI thread.
    """

    problem_changed = Signal()

    def __init__(self, link: PhoneLink, recording: Recording, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.link, self._recording = link, recording
        self.problem = ""
        """What was not mirrored, and why; empty when the last act was."""
        self._acts: deque[MirroredAct] = deque()
        self._waits_since: float | None = None
        self._tried_since: float | None = None
        self._sent_ns = 0
        self._sending: tuple[FingerGesture, MirroredGesture, int, float] | None = None
        self._is_after_touch = False
        self._looking = QTimer(self, interval=_LOOK_MS)
        self._looking.timeout.connect(self.look)

    @property
    def waiting(self) -> int:
        """How many acts were not sent yet."""
        return len(self._acts) + (self._sending is not None)

    def add(self, act: MirroredAct) -> None:
        """Send an act after those added before."""
        self._acts.append(act)
        self._looking.start()
        self.look()

    def close(self) -> None:
        """Send nothing more; a finger that is down is lifted."""
        self._acts.clear()
        self._looking.stop()
        if self._sending is not None:
            gesture, mirrored, done, _begun = self._sending
            self._sending = None
            for event in gesture.events[done:]:
                if event.action is TouchAction.UP:
                    self._touch(event, mirrored)

    @Slot()
    def look(self) -> None:
        """Send what can be sent now."""
        if self._sending is not None:
            self._send_on()
        while self._acts and self._sending is None and self._can_send(self._acts[0]):
            if not self._send(self._acts[0]):
                break
            self._acts.popleft()
        if not self.waiting:
            self._looking.stop()

    # -- when ----------------------------------------------------------------
    def _can_send(self, act: MirroredAct) -> bool:
        """Whether the phone shows what the act is for: its screen rests, and its tree is of that screen."""
        if not self.link.is_live or self.link.busy:
            return True  # it is refused, and said
        now = time.monotonic()
        if not act.needs_rest and not self._is_after_touch:
            return True
        longest = REACT_S if self.link.changed_after(self._sent_ns) else LONGEST_REACTION_S
        if now - self._sent_ns / 1e9 < longest:
            return False
        if self._waits_since is None:
            self._waits_since = now
            if not self.link.tree_is_fresh:
                self.link.refresh_tree()
        if not self.link.tree_is_fresh and now - self._waits_since < _LONGEST_S:
            return False
        self._waits_since = None
        return True

    # -- what ----------------------------------------------------------------
    def _send(self, act: MirroredAct) -> bool:
        """Send an act, or say why not; False when it waits for the screen on which it has a place."""
        try:
            self._require_free()
            self._dispatch(act)
        except NotMirrored as error:
            if self._may_find_its_place(act):
                return False
            self._say(join_sentences(error.what, error.to_do))
        else:
            self._say("")
        self._tried_since = None
        return True

    def _may_find_its_place(self, act: MirroredAct) -> bool:
        """Whether the phone may still be on its way to the screen of a touch."""
        if not isinstance(act, FingerGesture) or not self.link.is_live or self.link.busy:
            return False
        now = time.monotonic()
        if self._tried_since is None:
            self._tried_since = now
            self.link.refresh_tree()
        return now - self._tried_since < PATIENCE_S

    def _require_free(self) -> None:
        if not self.link.is_live:
            raise NotMirrored(_("The phone is gone"), "", _("Connect it"))
        if self.link.busy:
            raise NotMirrored(self.link.busy, "", _("Wait until that is done"))

    def _dispatch(self, act: MirroredAct) -> None:
        there = screen_of(self.link)
        match act:
            case FingerGesture():
                mirrored = mirror_gesture(act.first_finger, act.screen, there)
                self._sending = (act, mirrored, 0, time.monotonic())
                self._is_after_touch = True
                self._send_on()
            case WheelTurn():
                place = mirror_place(act.position, act.screen, there)
                self._target.scroll(place, act.horizontal, act.vertical)
            case PlainInput():
                act.send(self._target, self.link)
                self._is_after_touch = act.needs_rest
                self._sent_ns = time.monotonic_ns()

    def _send_on(self) -> None:
        """Send the events of a gesture whose time has come, with the pace of the person."""
        assert self._sending is not None
        gesture, mirrored, done, begun = self._sending
        now = time.monotonic()
        while done < len(gesture.events) and gesture.events[done].after_s <= now - begun:
            self._touch(gesture.events[done], mirrored)
            done += 1
        self._sending = (gesture, mirrored, done, begun)
        if done == len(gesture.events):
            self._sending = None
            self._sent_ns = time.monotonic_ns()

    def _touch(self, event: FingerEvent, mirrored: MirroredGesture) -> None:
        self._target.touch(event.action, event.pointer, mirrored.place(event.position))

    @property
    def _target(self) -> InputTarget:
        return self._recording.target_for(self.link)

    def _say(self, problem: str) -> None:
        if problem != self.problem:
            self.problem = problem
            self.problem_changed.emit()


def screen_of(link: PhoneLink) -> MirrorScreen:
    """What a phone shows now, as last known."""
    newest = link.screen.newest_tree()
    return MirrorScreen(newest.tree if newest is not None else None, link.screen.screen_size)
