"""Touches on the screen: taps, long presses, drags, flings and the system's edge gestures."""

from __future__ import annotations

import math
from dataclasses import replace

from collector.model.geometry import Point
from collector.model.phone.touch import TouchAction
from collector.virtual.noise.progress import DODGE
from collector.virtual.system.activity_manager import ActivityManager
from collector.virtual.system.compositor import Compositor
from collector.virtual.system.input.finger import Finger, share_of, speed_at_end, whole_gesture
from collector.virtual.system.input.typist import Typist
from collector.virtual.system.phone_state.state import SystemState
from collector.virtual.system.phone_state.ticker import FRAME
from collector.virtual.system.windows.chrome import GESTURE_BAR, STATUS_BAR
from collector.virtual.system.windows.pinch import Pincher
from collector.virtual.system.windows.window import Window
from collector.virtual.ui import widgets as w
from collector.virtual.ui.carets import TOP, nearest_caret
from collector.virtual.ui.drawing.paint import field_indent, slider_track
from collector.virtual.ui.dump import shown_text
from collector.virtual.ui.events import DOUBLE_TAP, SWIPE, TAP, Drag, Event, Trace, WholeGesture
from collector.virtual.ui.scene import SceneNode, touchable
from collector.virtual.ui.text import natural_width

# android.view.ViewConfiguration, in dp and seconds
TOUCH_SLOP = 8.0
MIN_FLING = 50.0
MAX_FLING = 8000.0
EDGE = 24.0
DOUBLE_TAP_SECONDS = 0.3
DOUBLE_TAP_SLOP = 100.0
_FRICTION = 0.36
"""Seconds in which a fling loses 63 % of its speed."""
_SLOWEST = 24.0
"""Dp in a second at which a fling ends."""
_WHOLE, _TRACE = "whole", "trace"
"""Modes of a finger on a widget that takes whole gestures, once it is lifted, and on one that follows it."""
_TAPPABLE = ("press", "home", "edge", "shade")
"""Modes of a finger that has not moved: every system gesture can still become a tap."""


class TouchInput:
    """Turn touches into gestures. The phone's lock protects it."""

    def __init__(
        self, state: SystemState, compositor: Compositor, manager: ActivityManager, typist: Typist
    ) -> None:
        self._state = state
        self._compositor = compositor
        self._manager = manager
        self._typist = typist
        self._finger: Finger | None = None
        self._fling: int | None = None
        self._last_tap: tuple[float, Point, str] = (-math.inf, Point(0, 0), "")
        self._pincher = Pincher(self._send)
        self._on_stopped = ""
        """Package of the stopped app under the finger."""

    def touch(self, action: TouchAction, pointer: int, point: Point) -> None:
        """Process one touch event; fingers after the first only zoom."""
        if not self._state.awake or self._is_blocked(action, pointer, point):
            return
        if self._pincher.touch(action, pointer, point):
            return
        finger = self._finger
        if pointer != 0:
            if action is TouchAction.DOWN and finger is not None and self._pincher.pinch(finger.window):
                self._release(finger)
            return
        if action is TouchAction.DOWN:
            self._state.noise.note_input()
            self._down(point)
        elif self._finger is not None:
            finger = self._finger
            if action is TouchAction.MOVE:
                self._move(finger, point)
            elif action is TouchAction.UP:
                self._up(finger, point)
            else:
                self._release(finger)
                self._trace(finger, None)

    def _is_blocked(self, action: TouchAction, pointer: int, point: Point) -> bool:
        """Postpone touches on a stopped app; True when the finger is on one."""
        if action is TouchAction.DOWN and pointer == 0:
            window = self._window_at(point)
            stopped = window is not None and window.stopped and not self._edge(point)
            self._on_stopped = window.package if window is not None and stopped else ""
        package = self._on_stopped
        if not package or not self._manager.wait_for(package, lambda: self.touch(action, pointer, point)):
            return False
        self._manager.input_blocked(package)
        return True

    # ---- down ------------------------------------------------------------------------------------

    def _down(self, point: Point) -> None:
        if self._finger is not None:
            self._release(self._finger)
        window = self._window_at(point)
        self._manager.input_log.note_touch(window.title if window is not None else "")
        finger = self._finger = Finger(point, point, window)
        finger.samples.append((self._state.time.now_ns, point))
        if self._stop_fling():
            finger.mode = "caught"
        edge = self._edge(point)
        if edge:
            finger.mode = edge
        if window is None or finger.mode == "caught":
            return
        node = next((node for node in window.scene.at(point) if touchable(node.widget)), None)
        if node is None or not node.widget.enabled:
            return
        finger.target = node.path
        if node.widget.on_gesture is not None:
            finger.mode = _WHOLE
        if node.widget.on_tap is not None and node.widget.on_tap.name == DODGE:
            finger.mode = "done"  # it moves away under the finger
            self._send(window, node.widget.on_tap)
            return
        if isinstance(node.widget, w.Slider) and finger.mode == "press":
            finger.mode = "slide"
            self._slide(finger, point)
            return
        if node.widget.on_trace is not None and finger.mode == "press":
            finger.mode = _TRACE
            self._trace(finger, point)
            return
        if finger.mode != _WHOLE:
            window.touches = replace(window.touches, pressed=node.path)
            self._state.touch(accessible=False)
        seconds = int(self._state.settings.get("secure", "long_press_timeout") or 400) / 1000
        finger.timer = self._state.ticker.after(seconds, lambda: self._long_press(finger))

    def _edge(self, point: Point) -> str:
        """The system gesture that a touch at this point may become."""
        px = self._state.density / 160
        size = self._state.size
        if point.y >= size.height - GESTURE_BAR * px:
            return "home"
        if point.y < STATUS_BAR * px:
            return "shade"
        if point.x < EDGE * px or point.x >= size.width - EDGE * px:
            return "edge"
        return ""

    def _window_at(self, point: Point) -> Window | None:
        for window in reversed(self._compositor.windows):
            if window.kind in ("status_bar", "toast"):
                continue
            if window.frame.contains(point) or window.modal:
                return window
        return None

    def _long_press(self, finger: Finger) -> None:
        if self._finger is not finger or finger.mode not in (*_TAPPABLE, _WHOLE):
            return
        finger.rested = True
        node = self._target(finger)
        if node is None or finger.window is None:
            return
        if finger.mode == _WHOLE:
            return
        if isinstance(node.widget, w.TextField):
            self._press_field(finger.window, node, finger.start)
            edit = finger.window.edit
            if edit is not None and edit.text:
                finger.window.show_edit(edit.select_all())
            finger.mode = "done"
        elif node.widget.on_long_press is not None:
            finger.mode = "done"
            at = share_of(node, finger.start)
            self._send(finger.window, node.widget.on_long_press.with_value(at))
        elif node.widget.on_drag is not None:
            finger.mode, finger.carries = "carry", node.widget.on_drag
            self._carry(finger, finger.start)
        self._unpress(finger)

    # ---- move --------------------------------------------------------------------------------------

    def _move(self, finger: Finger, point: Point) -> None:
        finger.samples.append((self._state.time.now_ns, point))
        slop = TOUCH_SLOP * self._state.density / 160
        dx, dy = point.x - finger.start.x, point.y - finger.start.y
        if finger.mode == _WHOLE:
            if math.hypot(dx, dy) > slop:
                self._unpress(finger)
        elif finger.mode == "slide":
            self._slide(finger, point)
        elif finger.mode == _TRACE:
            self._trace(finger, point)
        elif finger.mode == "scroll":
            self._drag(finger, point)
        elif finger.mode == "carry":
            self._carry(finger, point)
        elif finger.mode not in ("moved", "done") and math.hypot(dx, dy) > slop:
            self._unpress(finger)
            if finger.mode == "home":
                return
            if finger.mode == "edge" and abs(dx) > abs(dy):
                return
            if finger.mode == "shade" and dy > 0:
                return
            self._begin_scroll(finger, point, abs(dx) > abs(dy))
        finger.last = point

    def _begin_scroll(self, finger: Finger, point: Point, horizontal: bool) -> None:
        finger.mode = "moved"
        if finger.window is None:
            return
        for node in finger.window.scene.at(finger.start):
            if node.widget.on_pinch is not None:
                self._pincher.hold(finger.window, node)
                self._release(finger)
                return
            if node.box.overflow and node.box.horizontal == horizontal:
                finger.mode, finger.scroll, finger.horizontal = "scroll", node.path, horizontal
                # The touch slop itself does not scroll.
                finger.last = point
                return

    def _drag(self, finger: Finger, point: Point) -> None:
        assert finger.window is not None
        by = finger.last.x - point.x if finger.horizontal else finger.last.y - point.y
        if by and finger.window.scroll(finger.scroll, by):
            self._state.touch()

    def _carry(self, finger: Finger, point: Point, *, dropped: bool = False) -> None:
        """Report how far the finger moved the widget that it picked up."""
        event, window = finger.carries, finger.window
        if event is None or window is None:
            return
        if dropped:
            finger.carries = None
        px = self._state.density / 160
        moved = ((point.x - finger.start.x) / px, (point.y - finger.start.y) / px)
        self._send(window, event.with_value(Drag(moved, dropped)))

    def _trace(self, finger: Finger, point: Point | None, *, lifted: bool = False) -> None:
        node, window = self._target(finger), finger.window
        if node is not None and window is not None and node.widget.on_trace is not None:
            trace = Trace(share_of(node, point) if point is not None else None, lifted)
            self._send(window, node.widget.on_trace.with_value(trace))

    def _slide(self, finger: Finger, point: Point) -> None:
        node = self._target(finger)
        if node is None or finger.window is None or not isinstance(node.widget, w.Slider):
            return
        slider = node.widget
        left, right = slider_track(finger.window.look, node)
        share = min(max((point.x - left) / (right - left), 0.0), 1.0)
        value = slider.low + share * (slider.high - slider.low)
        if slider.step:
            value = slider.low + round((value - slider.low) / slider.step) * slider.step
        value = min(max(round(value, 6), slider.low), slider.high)
        if value != slider.value and slider.on_change is not None:
            self._send(finger.window, slider.on_change.with_value(value))

    # ---- up ----------------------------------------------------------------------------------------

    def _up(self, finger: Finger, point: Point) -> None:
        finger.samples.append((self._state.time.now_ns, point))
        node = self._target(finger)
        self._carry(finger, point, dropped=True)
        self._release(finger)
        dx, dy = point.x - finger.start.x, point.y - finger.start.y
        reach = 32 * self._state.density / 160
        slop = TOUCH_SLOP * self._state.density / 160
        if finger.mode == _WHOLE:
            self._finish_whole(finger, node, point)
        elif finger.mode == _TRACE:
            self._trace(finger, None, lifted=True)
        elif finger.mode == "scroll":
            self._begin_fling(finger)
        elif finger.mode == "home" and -dy > reach:
            self._bottom_gesture(finger)
        elif finger.mode == "edge" and abs(dx) > reach:
            self._manager.back()
        elif finger.mode == "shade" and dy > reach:
            self._manager.open_shade(True)
        elif finger.mode in _TAPPABLE and math.hypot(dx, dy) <= slop:
            self._tap(finger, node)
        elif finger.window is not None:
            self._swipe_system(finger, finger.window, dx, dy, reach)

    def _swipe_system(self, finger: Finger, window: Window, dx: int, dy: int, reach: float) -> None:
        """A swipe on a window of the system, by px to the right and down; a short one means nothing."""
        across = finger.mode == "moved" and abs(dx) > max(reach, abs(dy))
        if across and self._swipe_notification(finger, window):
            return
        if window.kind == "heads_up":
            self._manager.notices.hide_heads_up()
        elif finger.mode == "moved" and -dy > reach:
            if window.kind == "shade":
                self._manager.open_shade(False)
            elif window.kind == "keyguard":
                self._open_lock()

    def _swipe_notification(self, finger: Finger, window: Window) -> bool:
        """Swipe the notification under the finger away; False when there is none."""
        if window.kind not in ("heads_up", "shade"):
            return False
        taps = (node.widget.on_tap for node in window.scene.at(finger.start))
        opens = next((tap for tap in taps if tap is not None and tap.name == "shade.open"), None)
        if opens is not None:
            self._send(window, Event("shade.swipe", opens.key))
        return opens is not None

    def _open_lock(self) -> None:
        """A swipe up on the lock screen opens the phone, or asks for its credential."""
        self._state.keyguard.raise_bouncer()
        self._state.keyboard_requested = self._state.keyguard.asking
        self._state.touch()

    def _finish_whole(self, finger: Finger, node: SceneNode | None, point: Point) -> None:
        """Send what the finger did to a widget that takes whole gestures."""
        window = finger.window
        if node is None or window is None or node.widget.on_gesture is None:
            return
        gesture = whole_gesture(finger, node, point, TOUCH_SLOP * self._state.density / 160)
        self._send(window, node.widget.on_gesture.with_value(gesture))
        if gesture.kind == TAP and self._is_second(finger) and window in self._compositor.windows:
            self._send(window, node.widget.on_gesture.with_value(replace(gesture, kind=DOUBLE_TAP)))

    def _bottom_gesture(self, finger: Finger) -> None:
        """A swipe up from the bottom goes home, or opens the overview when it pauses at its end."""
        if self._state.keyguard.showing:
            self._open_lock()
            return
        rested = len(finger.samples) > 1 and finger.samples[-1][0] - finger.samples[-2][0] > 250_000_000
        if rested:
            self._state.recents_open = True
            self._state.touch()
        else:
            self._manager.home()

    def _tap(self, finger: Finger, node: SceneNode | None) -> None:
        window = finger.window
        if window is None:
            return
        inside = window.frame.contains(finger.start)
        if not inside:
            self._tap_outside(window)
        elif node is not None:
            self._act(window, node, finger.start)
            if self._is_second(finger):
                self._act_twice(window, node, finger.start)
        elif window.kind == "recents":
            self._manager.home()

    def _is_second(self, finger: Finger) -> bool:
        """Whether this tap is the second of a double tap; a third tap starts a new one."""
        now = self._state.time.now_ns / 1e9
        since, place, target = self._last_tap
        reach = DOUBLE_TAP_SLOP * self._state.density / 160
        second = (
            now - since <= DOUBLE_TAP_SECONDS
            and target == finger.target
            and place.distance_to(finger.start) <= reach
        )
        self._last_tap = (-math.inf if second else now, finger.start, finger.target)
        return second

    def _act_twice(self, window: Window, node: SceneNode, point: Point) -> None:
        widget = node.widget
        if widget.on_double_tap is not None:
            self._send(window, widget.on_double_tap.with_value(share_of(node, point)))
        edit = window.edit
        if isinstance(widget, w.TextField) and edit is not None and window.touches.focused == node.path:
            window.show_edit(edit.select_word())
            self._state.touch()

    def _tap_outside(self, window: Window) -> None:
        self._manager.dismiss(window)
        self._state.touch()

    def _act(self, window: Window, node: SceneNode, point: Point) -> None:
        widget = node.widget
        if isinstance(widget, w.TextField):
            self._press_field(window, node, point)
            if widget.on_tap is not None:
                self._send(window, widget.on_tap)
        elif isinstance(widget, (w.Switch, w.Checkbox, w.Radio)) and widget.on_change is not None:
            checked = True if isinstance(widget, w.Radio) else not widget.checked
            self._send(window, widget.on_change.with_value(checked))
        elif widget.on_tap is not None:
            self._send(window, widget.on_tap)

    def _send(self, window: Window, event: Event) -> None:
        if window.kind == "keyboard":
            self._typist.keyboard_event(event)
        else:
            self._manager.send(window, event)

    def _press_field(self, window: Window, node: SceneNode, point: Point) -> None:
        field = node.widget
        assert isinstance(field, w.TextField)
        look = window.look
        inset = look.px(look.field_inset(field))
        style = look.line_style(w.Text(size=field.size))
        text = shown_text(field)
        x = point.x - node.rect.left - inset - field_indent(look, text, style, node.rect.width - 2 * inset)
        caret = len(text)
        if not field.wrap:
            caret = nearest_caret(field, look, x, point.y - node.rect.top - look.px(TOP))
        elif field.kind != "multiline":
            places = range(len(text) + 1)
            caret = min(places, key=lambda place: abs(natural_width(text[:place] + "\u200b", style) - x))
        window.focus(node.path, caret)
        self._state.keyboard_requested = True
        self._state.touch()
        self._compositor.windows  # noqa: B018 - lays the screen above the keyboard
        window.reveal(node.path)
        self._state.touch()

    def _target(self, finger: Finger) -> SceneNode | None:
        if finger.window is None or not finger.target or finger.window not in self._compositor.windows:
            return None
        return finger.window.scene.by_path(finger.target)

    def _unpress(self, finger: Finger) -> None:
        self._state.ticker.cancel(finger.timer)
        finger.timer = None
        if finger.window is not None and finger.window.touches.pressed:
            finger.window.touches = replace(finger.window.touches, pressed="")
            self._state.touch(accessible=False)

    def _release(self, finger: Finger) -> None:
        self._unpress(finger)
        self._carry(finger, finger.start, dropped=True)
        self._finger = None

    # ---- flings and the wheel ------------------------------------------------------------------------

    def _begin_fling(self, finger: Finger) -> None:
        speed = speed_at_end(finger.samples, finger.horizontal)
        px = self._state.density / 160
        velocity = min(max(speed, -MAX_FLING * px), MAX_FLING * px)
        if abs(velocity) < MIN_FLING * px or finger.window is None:
            return
        window, path = finger.window, finger.scroll
        began_ns, done = self._state.time.now_ns, 0.0
        # The last step is done at this time exactly, so that the same speed always goes the same way.
        rests_after = _FRICTION * math.log(abs(velocity) / (_SLOWEST * px))

        def step() -> None:
            nonlocal done
            self._fling = None
            elapsed = min((self._state.time.now_ns - began_ns) / 1e9, rests_after)
            distance = velocity * _FRICTION * (1 - math.exp(-elapsed / _FRICTION))
            moving = elapsed < rests_after
            if window.scroll(path, distance - done) and moving:
                # Keep the frame rate independent of the drawing time.
                self._fling = self._state.ticker.after(FRAME - elapsed % FRAME, step)
            done = distance
            self._state.touch()

        self._fling = self._state.ticker.after(FRAME, step)

    def _stop_fling(self) -> bool:
        moving = self._fling is not None
        self._state.ticker.cancel(self._fling)
        self._fling = None
        return moving

    def wheel(self, point: Point, across: float, down: float) -> None:
        """Turn a mouse wheel: positive ``down`` scrolls towards the start, ``across`` towards the end."""
        window = self._window_at(point)
        if window is None or window.stopped:
            return
        self._stop_fling()
        step = 64 * self._state.density / 160
        for node in window.scene.at(point):
            if node.widget.on_gesture is not None:
                end = Point(point.x - round(across * step), point.y + round(down * step))
                turn = WholeGesture(SWIPE, share_of(node, point), share_of(node, end))
                self._send(window, node.widget.on_gesture.with_value(turn))
                return
            by = across * step if node.box.horizontal else -down * step
            if node.box.overflow and by and window.scroll(node.path, by):
                self._state.touch()
                return
