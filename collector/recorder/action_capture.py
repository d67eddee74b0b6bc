"""Turn touches, keys and text, of the mirror or of the phone itself, into captured actions.

A tap waits for a possible second one, letters wait for the next, and text typed on the phone's soft
keyboard waits until the field has been read. Actions come out in the order in which they began.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Callable
from dataclasses import replace

from collector.hierarchy.captions import click_target, takes_text
from collector.model.action import HELD_FROM_MS, Action, Key, Type
from collector.model.geometry import Point, Position
from collector.model.phone.touch import TouchAction
from collector.model.tree import Node
from collector.recorder.capture_source import CaptureSource
from collector.recorder.gestures import Gesture, GestureClassifier
from collector.recorder.observer import newest_moment
from collector.recorder.passwords.password_detection import is_secret_text, is_secret_typing, takes_password
from collector.recorder.passwords.pin_pad import PinPadKey, key_of
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.step_builder import CapturedAction
from collector.recorder.typing.field_reading import SETTLE_NS, read_field, text_shown
from collector.recorder.typing.soft_keyboard import SoftKeyboardTyping, is_key_press
from collector.recorder.typing.typing_merge import TypedText, TypingMerge
from collector.recorder.typing.typing_run import TypingRun, typing_outcome
from collector.recorder.wheel_scroll import WheelScroll

ON_DEVICE = "getevent"
"""Input source of touches and keys on the phone itself."""
_ON_DEVICE_DELAY_NS = 150_000_000
"""How late events of the phone itself may arrive; a second tap is awaited that much longer."""
_LONGEST_HELD_NS = 10_000_000_000
"""A key of which nothing said so long that it was lifted: its phone is off, or was unplugged."""
_KEY_VISIBLE_NS = 1_000_000_000
_PIN_PAD_PAUSE_NS = 5_000_000_000
_ANY_CHARACTER = "\u2022"


class ActionCapture:
    """Collect input until it is a complete action. Never blocks; the recorder holds its lock around calls."""

    def __init__(
        self,
        source: CaptureSource,
        clock: Callable[[], int],
        wall: Callable[[], dt.datetime],
        on_acted: Callable[[int], None],
        on_captured: Callable[[CapturedAction], None],
        *,
        long_press_ms: int,
        hides_passwords: bool,
    ) -> None:
        """Call ``on_acted`` with the end time of each action, ``on_captured`` with each complete action."""
        self._source = source
        self._clock = clock
        self._wall = wall
        self._on_acted = on_acted
        self._on_captured = on_captured
        self._hides_passwords = hides_passwords
        self._classifier = GestureClassifier(source.density, long_press_ms)
        self._moments: dict[int, ScreenMoment] = {}
        self._typing = TypingMerge()
        self._typing_moment: ScreenMoment | None = None
        self._text_field: Node | None = None
        self._pin_pad = TypingMerge(_PIN_PAD_PAUSE_NS)
        self._pin_pad_moment: ScreenMoment | None = None
        self._keyboard = SoftKeyboardTyping()
        self._wheel: WheelScroll | None = None
        self._touched_node: Node | None = None
        self._acted_ns = 0
        self._pressed_ns = -_KEY_VISIBLE_NS
        self._input_source = self._tool = ""
        self._held: tuple[ScreenMoment, Key] | None = None
        """The key of the phone that is down, and the screen when it went down."""
        self._queue: deque[CapturedAction | TypingRun] = deque()

    def use_source(self, source: CaptureSource) -> None:
        """Go on with another connection to the phone."""
        self._source = source

    def close(self) -> None:
        """Drop the screens of what was not done to its end."""
        self._moments.clear()
        self._queue.clear()
        self._typing_moment = self._pin_pad_moment = self._wheel = self._held = None
        self._text_field = self._touched_node = None

    @property
    def is_touching(self) -> bool:
        return self._classifier.is_touching

    @property
    def is_waiting(self) -> bool:
        """Whether an action waits for its text to be read from the field."""
        return bool(self._queue)

    @property
    def gathered(self) -> int:
        """Characters and key presses that will become a step later."""
        on_keyboard = sum(entry.presses for entry in self._queue if isinstance(entry, TypingRun))
        return len(self._typing) + len(self._pin_pad) + on_keyboard

    def acted(self) -> int:
        """An action ended now, so older trees are stale. Returns the time."""
        now = self._acted_ns = self._clock()
        self._on_acted(now)
        return now

    def look(self, now: int) -> None:
        """Complete the actions that nothing was added to for long enough."""
        if self._held is not None and now - self._held[0].time_ns >= _LONGEST_HELD_NS:
            self._close_key(_LONGEST_HELD_NS // 1_000_000)
        late = _ON_DEVICE_DELAY_NS if self._input_source else 0
        self._take_gestures(self._classifier.tick(now - late))
        if self._typing.is_over(now):
            self._close_typing()
        if self._pin_pad.is_over(now) and not self._classifier.is_touching:
            self._close_pin_pad()
        if self._wheel is not None and self._wheel.is_over(now):
            self._close_wheel()
        if self._keyboard.is_waiting:
            self._read_back(now)
        self._release(now)

    # Input

    def pointer(
        self, action: TouchAction, pointer: int, position: Position, now: int, origin: str, tool: str = ""
    ) -> None:
        """One event of one finger, or of a pen (``tool``).

        Touches of the mirror and of the phone, of a finger and of a pen, never make one gesture together.
        """
        self._close_key()
        if (origin, tool) != (self._input_source, self._tool):
            if self._classifier.is_touching:
                return
            self._take_gestures(self._classifier.flush())
            self._input_from(origin, tool)
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
                self._moments.clear()  # of a cancelled gesture, or of the second touch of a double tap

    def key(self, name: str, held_ms: int = 0) -> None:
        """A key of the mirror, by its name, once it is lifted."""
        self.key_down(name, "")
        self.key_up(name, held_ms)

    def key_down(self, name: str, origin: str) -> None:
        """A key by its name; "delete" belongs to the typing that it corrects."""
        self._close_key()
        self._take_gestures(self._classifier.flush())
        self._close_wheel()
        open_typing = next((typing for typing in (self._typing, self._pin_pad) if typing.is_open), None)
        if name == "delete" and open_typing is not None:
            open_typing.backspace(self.acted())
            return
        self._input_from(origin)
        self._close_typed()
        self._held = self.freeze(), Key(name)
        self.acted()

    def key_up(self, name: str, held_ms: int) -> None:
        """A key that went down is lifted after so long."""
        if self._held is not None and self._held[1].key == name:
            self.acted()
            self._close_key(held_ms)

    def _close_key(self, held_ms: int = 0) -> None:
        """Complete the key that is down, though nothing says that it was lifted."""
        held, self._held = self._held, None
        if held is not None:
            moment, key = held
            self._enqueue(
                CapturedAction(moment, replace(key, duration_ms=held_ms) if held_ms >= HELD_FROM_MS else key)
            )

    def text(self, text: str) -> None:
        """Text from the mirror; texts that follow each other become one step."""
        self._close_key()
        self._take_gestures(self._classifier.flush())
        self._close_wheel()
        self._close_pin_pad()
        self._close_keyboard(self._clock())
        self._input_from("")
        if not self._typing.is_open:
            self._typing_moment = self.freeze()
            touched = self._touched_node
            self._text_field = touched if touched is not None and takes_text(touched) else None
        self._typing.add(text, self.acted())

    def scroll(self, position: Position, horizontal: float, vertical: float) -> None:
        """Turns of the mouse wheel on the mirror."""
        self._close_key()
        self._take_gestures(self._classifier.flush())
        self._close_typed()
        self._input_from("")
        if self._wheel is None:
            moment = self.freeze()
            self._wheel = WheelScroll(moment, position.on(moment.screen))
        self._wheel.turn(horizontal, vertical, self.acted())

    def plain(self, action: Action) -> None:
        """An action of the window, such as a wait or an answer, that is complete at once."""
        self.interrupt(keep_gesture=True)
        self._input_from("")
        self._enqueue(CapturedAction(self.freeze(), action))
        self.acted()

    def interrupt(self, *, keep_gesture: bool = False) -> None:
        """Complete the actions that are still open, in the order they began."""
        self._close_key()
        self._take_gestures(self._classifier.flush())
        if self._classifier.is_touching and not keep_gesture:
            self._classifier.feed(TouchAction.CANCEL, 0, Point(0, 0), self._clock())
            self._moments.clear()
        self._close_typed()
        self._close_wheel()

    def stop_waiting(self) -> None:
        """Release the actions that wait for a field to be read, with what is known by now."""
        snapshot = self._source.newest_tree()
        if snapshot is not None:
            self._keyboard.observe(read_field(snapshot))
        self._release(None)

    def freeze(self, now: int | None = None) -> ScreenMoment:
        """The screen as it is now."""
        time_ns = self._clock() if now is None else now
        return replace(
            newest_moment(self._source, time_ns, self._wall()),
            acted_ns=self._acted_ns,
            hides_passwords=self._hides_passwords,
            pressed_key_visible=self._clock() - self._pressed_ns < _KEY_VISIBLE_NS,
            input_source=self._input_source,
            tool=self._tool,
        )

    def _input_from(self, origin: str, tool: str = "") -> None:
        """What comes now is from the mirror or from the phone, and drawn by a finger or by ``tool``."""
        self._input_source, self._tool = origin, tool

    # Gestures, and taps that press keys

    def _take_gestures(self, gestures: list[Gesture]) -> None:
        for gesture in gestures:
            moment = self._moments.pop(gesture.started_ns)
            key = self._pin_pad_key(gesture.action, moment)
            if key is not None:
                self._press_pin_pad(key, moment, gesture.finished_ns)
                continue
            self._close_pin_pad()
            if is_key_press(gesture, moment.keyboard, moment, self._source.density):
                self._press_keyboard(gesture, moment)
                continue
            self._close_keyboard(gesture.started_ns)
            if moment.tree is not None and gesture.action.point is not None:
                self._touched_node = click_target(moment.tree, gesture.action.point)
            self._enqueue(CapturedAction(moment, gesture.action))

    def _is_on_keys(self, gesture: Gesture) -> bool:
        """Whether a tap pressed a key: pressing a key twice is not a double tap."""
        moment = self._moments[gesture.started_ns]
        if is_key_press(gesture, moment.keyboard, moment, self._source.density):
            return True
        return self._pin_pad_key(gesture.action, moment) is not None

    def _press_keyboard(self, gesture: Gesture, moment: ScreenMoment) -> None:
        assert moment.keyboard is not None
        self._pressed_ns = self._clock()
        touched = (
            self._touched_node if self._touched_node is not None and takes_text(self._touched_node) else None
        )
        new_run = self._keyboard.press(
            replace(moment, pressed_key_visible=True), gesture, moment.keyboard, touched
        )
        if new_run is not None:
            self._queue.append(new_run)

    def _pin_pad_key(self, action: Action, moment: ScreenMoment) -> PinPadKey | None:
        """The key of a PIN pad that was touched, on windows where keys stay hidden."""
        if not self._hides_passwords or not (moment.secure or self._source.secure):
            return None
        newest = self._source.newest_tree()
        return key_of((moment.tree, newest.tree if newest is not None else None), action)

    def _press_pin_pad(self, key: PinPadKey, moment: ScreenMoment, now_ns: int) -> None:
        """Count a key press. Which key it was is not kept."""
        if not self._pin_pad.is_open:
            self._pin_pad_moment = moment
        if key is PinPadKey.ERASE:
            self._pin_pad.backspace(now_ns)
        else:
            self._pin_pad.add(_ANY_CHARACTER, now_ns)

    # Completing

    def _close_typed(self) -> None:
        self._close_typing()
        self._close_pin_pad()
        self._close_keyboard(self._clock())

    def _close_typing(self) -> None:
        moment, typed = self._typing_moment, self._typing.close()
        if typed is None or moment is None:
            return
        newest = self._source.newest_tree()
        newest_tree = newest.tree if newest is not None else None
        if is_secret_text(moment, newest_tree, self._text_field):
            # The field is not passed on: the node may hold text that is masked in the stored tree.
            is_password = takes_password(moment, newest_tree, self._text_field)
            known = typed.text if is_password else ""
            self._enqueue(CapturedAction(moment, Type(redacted=True), typed_password=known))
        else:
            extra = {"erased": typed.erased} if typed.erased else {}
            shown = self._shown(moment, typed)
            action = Type(typed.text, len(typed.text))
            self._enqueue(CapturedAction(moment, action, self._text_field, extra, shown_text=shown))

    def _shown(self, moment: ScreenMoment, typed: TypedText) -> str:
        """What the field shows of the text, if a tree from after the typing is at hand."""
        newest = self._source.newest_tree()
        if newest is None or newest.started_ns < typed.last_ns + SETTLE_NS:
            return ""
        return text_shown(moment.tree, read_field(newest), len(typed.text) + typed.erased)

    def _close_pin_pad(self) -> None:
        moment, typed = self._pin_pad_moment, self._pin_pad.close()
        self._pin_pad_moment = None
        if typed is not None and moment is not None:
            self._enqueue(CapturedAction(moment, Type(redacted=True)))

    def _close_keyboard(self, limit_ns: int) -> None:
        self._keyboard.close(limit_ns)

    def _close_wheel(self) -> None:
        wheel, self._wheel = self._wheel, None
        if wheel is not None:
            self._enqueue(CapturedAction(wheel.moment, wheel.action))

    # Passing actions on, in order

    def _enqueue(self, captured: CapturedAction) -> None:
        if self._queue:
            self._queue.append(captured)
        else:
            self._on_captured(captured)

    def _read_back(self, now: int) -> None:
        snapshot = self._source.newest_tree()
        if snapshot is not None:
            self._keyboard.observe(read_field(snapshot))
        if self._keyboard.wants_tree(now):
            self._source.refresh_tree()

    def _release(self, now: int | None) -> None:
        """Pass on the actions that are complete; all of them when ``now`` is None."""
        while self._queue:
            first: CapturedAction | TypingRun | None = self._queue[0]
            if isinstance(first, TypingRun):
                if now is None:
                    self._keyboard.resolve(first)
                elif not self._keyboard.ready(first, now):
                    return
                first = self._action_of(first)
            self._queue.popleft()
            if first is not None:
                self._on_captured(first)

    def _action_of(self, run: TypingRun) -> CapturedAction | None:
        """The action a typing run stands for; None when it changed nothing."""
        moment = run.moment
        newest = self._source.newest_tree()
        secret = is_secret_typing(moment, newest.tree if newest is not None else None, run.fields)
        result = typing_outcome(run, secret=secret)
        self._keyboard.set_last_field(result.field)
        if result.action is None:
            return None
        extra = {"erased": result.erased} if result.erased and not secret else {}
        # The field of a password is not passed on: the node may hold text that is masked in the stored tree.
        text_field = result.field.node if result.field is not None and not secret else None
        return CapturedAction(moment, result.action, text_field, extra, result.doubt)
