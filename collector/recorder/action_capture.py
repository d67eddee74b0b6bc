"""What a person does, on the mirror or on the phone itself, gathered into actions and their moments.

A tap waits for a second one, letters wait for the next, and what was typed on the phone's own
keyboard waits until the field has been read back; actions leave in the order they were begun.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from collector.hierarchy.describe import click_target, takes_text
from collector.model.action import Action, Key, Type
from collector.model.geometry import Point, Position, Rect
from collector.model.touch import TouchAction
from collector.model.tree import Node
from collector.recorder.capture_source import CaptureSource
from collector.recorder.field_reading import SETTLE_NS, FieldReading, said_by_field
from collector.recorder.gestures import Gesture, GestureClassifier
from collector.recorder.password_detection import is_secret, is_secret_typing
from collector.recorder.pin_pad import PinPadKey, key_of
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.soft_keyboard import SoftKeyboardTyping, TypingRun, is_key_press, outcome
from collector.recorder.step_builder import CapturedAction
from collector.recorder.typing_merge import TypedText, TypingMerge
from collector.recorder.wheel_scroll import WheelScroll

HAND = "getevent"
"""Input source of what is done on the phone itself."""
_HAND_DELAY_NS = 150_000_000
"""How late the phone's own events may come: a second tap is waited for so much longer."""
_KEYS_SHOW_NS = 1_000_000_000
_PAD_PAUSE_NS = 5_000_000_000
_NAMELESS = "\u2022"


class ActionCapture:
    """Not thread-safe: the recorder's lock is held around every call. Nothing here waits."""

    def __init__(
        self,
        source: CaptureSource,
        clock: Callable[[], int],
        wall: Callable[[], dt.datetime],
        acted: Callable[[int], None],
        take: Callable[[CapturedAction], None],
        *,
        long_press_ms: int,
        hides_passwords: bool,
    ) -> None:
        """``acted`` is told of every action's end, ``take`` of every action that is whole."""
        self._source = source
        self._clock = clock
        self._wall = wall
        self._tell_acted = acted
        self._take = take
        self._hides_passwords = hides_passwords
        self.regions: tuple[Rect, ...] = ()
        self._classifier = GestureClassifier(source.density, long_press_ms)
        self._moments: dict[int, ScreenMoment] = {}
        self._typing = TypingMerge()
        self._typing_moment: ScreenMoment | None = None
        self._typed_into: Node | None = None
        self._pad = TypingMerge(_PAD_PAUSE_NS)
        self._pad_moment: ScreenMoment | None = None
        self._keyboard = SoftKeyboardTyping()
        self._wheel: WheelScroll | None = None
        self._touched: Node | None = None
        self._acted_ns = 0
        self._pressed_ns = -_KEYS_SHOW_NS
        self._input = ""
        self._line: deque[CapturedAction | TypingRun] = deque()

    def use_source(self, source: CaptureSource) -> None:
        """Go on with another connection to the phone."""
        self._source = source

    @property
    def is_touching(self) -> bool:
        return self._classifier.is_touching

    @property
    def is_waiting(self) -> bool:
        """Whether an action waits for its text to be read back."""
        return bool(self._line)

    @property
    def gathered(self) -> int:
        """Characters and keys pressed that will be one step, and are none yet."""
        on_keyboard = sum(one.presses for one in self._line if isinstance(one, TypingRun))
        return len(self._typing) + len(self._pad) + on_keyboard

    def acted(self) -> int:
        """An action ended now: what a tree says from before it is old."""
        now = self._acted_ns = self._clock()
        self._tell_acted(now)
        return now

    def look(self, now: int) -> None:
        """Close what nothing was added to for long enough."""
        late = _HAND_DELAY_NS if self._input else 0
        self._take_gestures(self._classifier.tick(now - late))
        if self._typing.is_over(now):
            self._close_typing()
        if self._pad.is_over(now) and not self._classifier.is_touching:
            self._close_pad()
        if self._wheel is not None and self._wheel.is_over(now):
            self._close_wheel()
        if self._keyboard.is_waiting:
            self._read_back(now)
        self._let_go(now)

    # What a person does

    def pointer(self, action: TouchAction, pointer: int, position: Position, now: int, origin: str) -> None:
        """One event of one finger, of the hand or of the mirror: two at once are not one gesture."""
        if origin != self._input:
            if self._classifier.is_touching:
                return
            self._take_gestures(self._classifier.flush())
            self._input = origin
        if action is TouchAction.DOWN and not self._classifier.is_touching:
            self._close_typing()
            self._close_wheel()
            while now in self._moments:
                now += 1
            self._moments[now] = self.freeze(now)
        point = position.on(self._source.screen_size)
        self._take_gestures(self._classifier.feed(action, pointer, point, now))
        self._take_gestures(self._classifier.flush_if(self._is_on_keys))
        if not self._classifier.is_touching:
            self.acted()
            if self._classifier.deadline_ns is None:
                self._moments.clear()  # those of a cancelled gesture and of the second touch of a double tap

    def key(self, name: str, origin: str) -> None:
        """A key by its name; deleting goes on with the typing it corrects."""
        self._take_gestures(self._classifier.flush())
        self._close_wheel()
        open_typing = next((one for one in (self._typing, self._pad) if one.is_open), None)
        if name == "delete" and open_typing is not None:
            open_typing.backspace(self.acted())
            return
        self._input = origin
        self._close_typed()
        self._put(CapturedAction(self.freeze(), Key(name)))
        self.acted()

    def text(self, text: str) -> None:
        """Text from the mirror; what follows each other becomes one step."""
        self._take_gestures(self._classifier.flush())
        self._close_wheel()
        self._close_pad()
        self._close_keyboard(self._clock())
        self._input = ""
        if not self._typing.is_open:
            self._typing_moment = self.freeze()
            touched = self._touched
            self._typed_into = touched if touched is not None and takes_text(touched) else None
        self._typing.add(text, self.acted())

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        """Turns of a wheel on the mirror."""
        self._take_gestures(self._classifier.flush())
        self._close_typed()
        self._input = ""
        if self._wheel is None:
            moment = self.freeze()
            self._wheel = WheelScroll(moment, position.on(moment.screen))
        self._wheel.turn(horizontal, vertical, self.acted())

    def plain(self, action: Action) -> None:
        """An action that is whole at once, made in the window."""
        self.interrupt(keep_gesture=True)
        self._input = ""
        self._put(CapturedAction(self.freeze(), action))
        self.acted()

    def interrupt(self, *, keep_gesture: bool = False) -> None:
        """Close whatever is still open, in the order it began."""
        self._take_gestures(self._classifier.flush())
        if self._classifier.is_touching and not keep_gesture:
            self._classifier.feed(TouchAction.CANCEL, 0, Point(0, 0), self._clock())
            self._moments.clear()
        self._close_typed()
        self._close_wheel()

    def give_up_waiting(self) -> None:
        """Let go of what waits for a reading, with what is known by now."""
        snapshot = self._source.newest_tree()
        if snapshot is not None:
            self._keyboard.observe(FieldReading.of(snapshot))
        self._let_go(None)

    def freeze(self, now: int | None = None) -> ScreenMoment:
        """The screen as it is: references only."""
        source = self._source
        snapshot = source.newest_tree()
        package, activity = source.foreground()
        return ScreenMoment(
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
            regions=self.regions,
            hides_passwords=self._hides_passwords,
            secure=source.secure,
            keyboard=source.keyboard,
            pressed_key_visible=self._clock() - self._pressed_ns < _KEYS_SHOW_NS,
            input_source=self._input,
        )

    # Gestures, and those that press keys

    def _take_gestures(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            moment = self._moments.pop(gesture.started_ns)
            key = self._pad_key(gesture.action, moment)
            if key is not None:
                self._press_pad(key, moment, gesture.finished_ns)
                continue
            self._close_pad()
            if is_key_press(gesture, moment.keyboard, moment, self._source.density):
                self._press_keyboard(gesture, moment)
                continue
            self._close_keyboard(gesture.started_ns)
            if moment.tree is not None and gesture.action.point is not None:
                self._touched = click_target(moment.tree, gesture.action.point)
            self._put(CapturedAction(moment, gesture.action))

    def _is_on_keys(self, gesture: Gesture) -> bool:
        """Whether a tap pressed a key: two of one key are no double tap."""
        moment = self._moments[gesture.started_ns]
        if is_key_press(gesture, moment.keyboard, moment, self._source.density):
            return True
        return self._pad_key(gesture.action, moment) is not None

    def _press_keyboard(self, gesture: Gesture, moment: ScreenMoment) -> None:
        assert moment.keyboard is not None
        self._pressed_ns = self._clock()
        touched = self._touched if self._touched is not None and takes_text(self._touched) else None
        begun = self._keyboard.press(
            replace(moment, pressed_key_visible=True), gesture, moment.keyboard, touched
        )
        if begun is not None:
            self._line.append(begun)

    def _pad_key(self, action: Action, moment: ScreenMoment) -> PinPadKey | None:
        """The key of a PIN pad that was touched, where keys are to stay hidden."""
        if not self._hides_passwords or not (moment.secure or self._source.secure):
            return None
        newest = self._source.newest_tree()
        return key_of((moment.tree, newest.tree if newest is not None else None), action)

    def _press_pad(self, key: PinPadKey, moment: ScreenMoment, now_ns: int) -> None:
        """Count a key; which one it was is forgotten here."""
        if not self._pad.is_open:
            self._pad_moment = moment
        if key is PinPadKey.ERASE:
            self._pad.backspace(now_ns)
        else:
            self._pad.add(_NAMELESS, now_ns)

    # Closing

    def _close_typed(self) -> None:
        self._close_typing()
        self._close_pad()
        self._close_keyboard(self._clock())

    def _close_typing(self) -> None:
        moment, typed = self._typing_moment, self._typing.close()
        if typed is None or moment is None:
            return
        extra = {"erased": typed.erased} if typed.erased else {}
        newest = self._source.newest_tree()
        if is_secret(moment, newest.tree if newest is not None else None, self._typed_into):
            # The field as it was touched is not passed on: it may hold words the masked tree no longer has.
            self._put(CapturedAction(moment, Type("", len(typed.text), redacted=True), extra=extra))
        else:
            shown = self._shown(moment, typed)
            action = Type(typed.text, len(typed.text))
            self._put(CapturedAction(moment, action, self._typed_into, extra, shown_text=shown))

    def _shown(self, moment: ScreenMoment, typed: TypedText) -> str:
        """What a field made of the text, if a tree from after it is at hand: nothing is waited for."""
        newest = self._source.newest_tree()
        if newest is None or newest.started_ns < typed.last_ns + SETTLE_NS:
            return ""
        return said_by_field(moment.tree, FieldReading.of(newest), len(typed.text) + typed.erased)

    def _close_pad(self) -> None:
        moment, typed = self._pad_moment, self._pad.close()
        self._pad_moment = None
        if typed is not None and moment is not None:
            extra = {"erased": typed.erased} if typed.erased else {}
            self._put(CapturedAction(moment, Type("", len(typed.text), redacted=True), extra=extra))

    def _close_keyboard(self, limit_ns: int) -> None:
        self._keyboard.close(limit_ns)

    def _close_wheel(self) -> None:
        wheel, self._wheel = self._wheel, None
        if wheel is not None:
            self._put(CapturedAction(wheel.moment, wheel.action))

    # Leaving, in order

    def _put(self, captured: CapturedAction) -> None:
        if self._line:
            self._line.append(captured)
        else:
            self._take(captured)

    def _read_back(self, now: int) -> None:
        snapshot = self._source.newest_tree()
        if snapshot is not None:
            self._keyboard.observe(FieldReading.of(snapshot))
        if self._keyboard.wants_tree(now):
            self._source.refresh_tree()

    def _let_go(self, now: int | None) -> None:
        """Pass on what is whole; with no ``now`` all of it."""
        while self._line:
            first: CapturedAction | TypingRun | None = self._line[0]
            if isinstance(first, TypingRun):
                if now is None:
                    self._keyboard.resolve(first)
                elif not self._keyboard.ready(first, now):
                    return
                first = self._typed(first)
            self._line.popleft()
            if first is not None:
                self._take(first)

    def _typed(self, stretch: TypingRun) -> CapturedAction | None:
        """What a stretch of presses came to; None when it changed nothing."""
        moment = stretch.moment
        newest = self._source.newest_tree()
        secret = is_secret_typing(moment, newest.tree if newest is not None else None, stretch.fields)
        came = outcome(stretch, secret=secret)
        self._keyboard.account(came.left)
        if came.action is None:
            return None
        extra = {"erased": came.erased} if came.erased else {}
        # A password's field is not passed on: it may hold words the masked tree no longer has.
        into = came.left.node if came.left is not None and not secret else None
        return CapturedAction(moment, came.action, into, extra, came.doubt)
