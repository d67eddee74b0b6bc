"""Turn a person's input on a shown screen into actions, for a run in which the person acts for the agent.

A recording builds its steps in :mod:`collector.recorder.action_capture`, which also reads the phone. Here is
no phone: only gestures, typing and turns of the wheel.
"""

from __future__ import annotations

from collector.model.action import Action, Key, Scroll, Type
from collector.model.geometry import Position, Size
from collector.model.phone.touch import TouchAction
from collector.recorder.gestures import BASE_DPI, Gesture, GestureClassifier
from collector.recorder.typing.typing_merge import TypingMerge
from collector.recorder.wheel_scroll import WheelTurns

USUAL_WIDTH_DP = 360
"""Width of an upright phone, from which the density of a screen is estimated."""
TYPING_PAUSE_NS = 700_000_000
"""Typing that pauses for so long is sent: the person waits for the phone to show it."""


def estimated_density(screen: Size) -> int:
    """Dots per inch of a phone whose screen has this size in pixels."""
    across = min(screen.width, screen.height)
    return max(BASE_DPI // 2, round(across * BASE_DPI / USUAL_WIDTH_DP))


class InputActions:
    """Takes events in order; each call returns the actions that are complete, oldest first.

    A tap waits until it cannot become a double tap, typing and turns of the wheel until they pause: call
    :meth:`tick` at :attr:`deadline_ns`.
    """

    def __init__(self, screen: Size) -> None:
        """``screen`` is the size in pixels that actions count in."""
        self._screen = screen
        self._gestures = GestureClassifier(estimated_density(screen))
        self._typing = TypingMerge(TYPING_PAUSE_NS)
        self._typed_ns = 0
        self._wheel: WheelTurns | None = None

    @property
    def deadline_ns(self) -> int | None:
        """When something that waits is complete; None while nothing waits."""
        waiting = [
            self._gestures.deadline_ns,
            self._typed_ns + TYPING_PAUSE_NS if self._typing.is_open else None,
            self._wheel.ends_ns if self._wheel is not None else None,
        ]
        return min((moment for moment in waiting if moment is not None), default=None)

    def pointer(self, action: TouchAction, pointer: int, position: Position, now_ns: int) -> list[Action]:
        """A finger pressed, moved, lifted or cancelled."""
        before = [] if action is TouchAction.MOVE else [*self._end_typing(), *self._end_wheel()]
        point = position.on(self._screen)
        return before + _actions(self._gestures.feed(action, pointer, point, now_ns))

    def key(self, name: str, now_ns: int) -> list[Action]:
        """A key of the phone; "delete" corrects the typing that is open."""
        if name == "delete" and len(self._typing):
            self._typing.backspace(now_ns)
            self._typed_ns = now_ns
            return []
        return [*self.flush(), Key(name)]

    def text(self, text: str, now_ns: int) -> list[Action]:
        """Typed, composed or pasted text; texts that follow each other become one action."""
        before = [*_actions(self._gestures.flush()), *self._end_wheel()]
        self._typing.add(text, now_ns)
        self._typed_ns = now_ns
        return before

    def scroll(self, position: Position, horizontal: float, vertical: float, now_ns: int) -> list[Action]:
        """A turn of the wheel, in notches; positive is right and up."""
        before = [*_actions(self._gestures.flush()), *self._end_typing()]
        if self._wheel is None:
            self._wheel = WheelTurns(position.on(self._screen), now_ns)
        self._wheel.turn(horizontal, vertical, now_ns)
        return before

    def tick(self, now_ns: int) -> list[Action]:
        """What is complete because nothing followed for long enough."""
        done = _actions(self._gestures.tick(now_ns))
        if self._typing.is_over(now_ns):
            done += self._end_typing()
        if self._wheel is not None and self._wheel.is_over(now_ns):
            done += self._end_wheel()
        return done

    def flush(self) -> list[Action]:
        """Everything that waits, now."""
        return [*_actions(self._gestures.flush()), *self._end_typing(), *self._end_wheel()]

    def _end_typing(self) -> list[Action]:
        typed = self._typing.close()
        return [Type(typed.text, len(typed.text))] if typed is not None and typed.text else []

    def _end_wheel(self) -> list[Scroll]:
        wheel, self._wheel = self._wheel, None
        return [wheel.action] if wheel is not None else []


def _actions(gestures: list[Gesture]) -> list[Action]:
    return [gesture.action for gesture in gestures]
