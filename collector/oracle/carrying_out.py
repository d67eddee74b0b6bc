"""Carry a move out on a phone: which action is next, from the widgets that are on its screen now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collector.model.action import Action, Key, LongPress, Swipe, Tap, Type, Wait
from collector.model.geometry import Point, Rect, Size
from collector.oracle.moves import BACK, HOLD, NOTE, SUBMIT, SWITCH, TEXT, Move, own_words
from collector.virtual.noise.progress import NOISE_EVENTS
from collector.virtual.system.phone import Phone
from collector.virtual.system.windows.chrome import GESTURE_BAR, STATUS_BAR
from collector.virtual.system.windows.front_window import FrontWindow, PlacedWidget, ScrollArea
from collector.virtual.ui import widgets as w
from collector.virtual.ui.events import Event
from collector.virtual.ui.expand import BACK as BACK_ARROW

_SHARES = (0.5, 0.3, 0.7, 0.15, 0.85)
"""Of the width and height of a widget: where it is touched, the first place that nothing covers."""
_SLOP, _EDGE = 10.0, 26.0
"""Dp that a finger moves before a list does, and from the sides where the system takes swipes."""
_SWIPE_MS, _REST_MS, _PARTS = 260, 160, 10
"""A swipe that ends with a rest throws nothing."""
_FARTHEST = 0.7
"""Of the height of a list, in one swipe."""
_THROWN_FROM, _THROWN_MS = 2.0, 360.0
"""A list is thrown at what is more of its heights away; it goes as far as at its first speed then."""
_SHORTEST_MS = 40
WAIT_MS = 1000


@dataclass(frozen=True, slots=True)
class NextAction:
    """An action on the way to a move."""

    action: Action
    completes: bool = False
    """Whether the move is done by it."""


def next_action(phone: Phone, move: Move) -> NextAction | None:
    """What to do now for a move; None when nothing on the screen fits it yet."""
    front = phone.front_window
    if front is None:
        return None
    if move.kind == BACK:
        return _back(phone, front, move)
    screen = _Screen(phone.size, phone.density / 160)
    found = _matching(front, move)
    if found is None:
        return None
    noise = _disturbance(front, found.widget)
    point = screen.point_on(front, noise or found) or screen.cover_of(front, found)
    if point is None and phone.input_method.shown:
        return NextAction(Key("back"))  # the keyboard leaves little room, on a turned screen next to none
    if point is None:
        swipe = screen.swipe_to(noise or found)
        return NextAction(swipe) if swipe is not None else None
    if noise is not None or screen.point_on(front, found) is None:
        return NextAction(Tap(point.x, point.y))
    if move.kind in (TEXT, SUBMIT):
        return _typed(front, found, point, move)
    touch: Action = LongPress(point.x, point.y) if move.kind == HOLD else Tap(point.x, point.y)
    return NextAction(touch, completes=True)


def place_of(phone: Phone, front: FrontWindow, item: PlacedWidget) -> Point | Swipe | None:
    """Where a widget is touched, or the swipe that brings it nearer; None when it is in no reach."""
    screen = _Screen(phone.size, phone.density / 160)
    if (point := screen.point_on(front, item)) is not None:
        return point
    swipe = screen.swipe_to(item)
    return swipe if isinstance(swipe, Swipe) else None


def _back(phone: Phone, front: FrontWindow, move: Move) -> NextAction:
    """BACK, or the arrow of the screen, which does not close the keyboard first."""
    if move.event is None and front.kind == "activity":
        arrow = next((item for item in front.widgets if item.widget.on_tap == BACK_ARROW), None)
        screen = _Screen(phone.size, phone.density / 160)
        point = screen.point_on(front, arrow) if arrow is not None else None
        if point is not None:
            return NextAction(Tap(point.x, point.y), completes=True)
    return NextAction(Key("back"), completes=not phone.input_method.shown)


def _typed(front: FrontWindow, found: PlacedWidget, point: Point, move: Move) -> NextAction:
    """The next action for a text in a field, or for the action key of the keyboard."""
    field = found.widget
    assert isinstance(field, w.TextField)
    is_focused = front.focused == found.path
    if move.kind == SUBMIT:
        return NextAction(Key("enter"), completes=True) if is_focused else NextAction(Tap(point.x, point.y))
    if not field.text:
        if is_focused:
            return NextAction(Type(move.text, len(move.text)), completes=True)
        return NextAction(Tap(point.x, point.y))
    if is_focused and front.selected == field.text:
        if not move.text:
            return NextAction(Key("delete"), completes=True)
        return NextAction(Type(move.text, len(move.text)), completes=True)
    return NextAction(LongPress(point.x, point.y))  # selects all of it


# ---- which widget ------------------------------------------------------------------------------


def _matching(front: FrontWindow, move: Move) -> PlacedWidget | None:
    """The widget that a move is about: that with its very event, else the one with its name and its words.

    The words tell it from others of its name, while noise hides it.
    """
    by_name = None
    for item in front.widgets:
        event = _event_of(item.widget, move)
        if event is None or move.event is None or event.name != move.event.name or not item.widget.enabled:
            continue
        if event.key == move.event.key:
            return item
        if (item.widget.id, item.widget.key) == (move.id, move.key) and _has_words(item.widget, move):
            by_name = by_name or item
    return by_name or _disturbed(front, move)


def _has_words(widget: w.Widget, move: Move) -> bool:
    """Whether what a widget says itself is what was on that of a move; a field says what was typed since."""
    if move.kind in (TEXT, SUBMIT):
        return True
    return all(words in move.label for words in own_words(widget))


def _event_of(widget: w.Widget, move: Move) -> Event | None:
    """The event that a widget would send for a move of this kind; None for another widget."""
    if move.kind == NOTE:
        return widget.on_tap if widget.id == "snackbar_action" else None
    if move.kind == HOLD:
        return widget.on_long_press
    if move.kind == SWITCH:
        return widget.on_change if isinstance(widget, w.Switch | w.Checkbox | w.Radio) else None
    if move.kind in (TEXT, SUBMIT):
        if not isinstance(widget, w.TextField):
            return None
        return widget.on_change if move.kind == TEXT else widget.on_submit
    return widget.on_tap


def _name(id_: str, key: str) -> str:
    """The name that noise knows a widget by."""
    return f"{id_} {key}".strip()


def _disturbed(front: FrontWindow, move: Move) -> PlacedWidget | None:
    """The widget that moves away instead of doing what it does."""
    return _of_noise(front, _name(move.id, move.key)) if move.id else None


def _disturbance(front: FrontWindow, widget: w.Widget) -> PlacedWidget | None:
    """What lies over a widget; None for nothing."""
    if widget.on_tap is not None and widget.on_tap.name in NOISE_EVENTS:
        return _of_noise(front, str(widget.on_tap.key).partition(" ")[2])
    return _of_noise(front, _name(widget.id, widget.key)) if widget.id else None


def _of_noise(front: FrontWindow, name: str) -> PlacedWidget | None:
    for item in front.widgets:
        event = item.widget.on_tap
        if event is not None and event.name in NOISE_EVENTS and str(event.key).partition(" ")[2] == name:
            return item
    return None


# ---- where it is -------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Screen:
    size: Size
    px: float
    """Pixels of a dp."""

    def point_on(self, front: FrontWindow, item: PlacedWidget) -> Point | None:
        """A place where a touch is for the widget; None when there is none in view."""
        if item.visible is None or item.visible.is_empty:
            return None
        for point in _points(item.visible):
            node = front.touched(point)
            if node is not None and node.path == item.path:
                return point
        return None

    def cover_of(self, front: FrontWindow, item: PlacedWidget) -> Point | None:
        """Where noise is touched that lies over a widget, or over what it is a part of."""
        if item.visible is None or item.visible.is_empty:
            return None
        node = front.touched(item.visible.center)
        event = node.widget.on_tap if node is not None else None
        return item.visible.center if event is not None and event.name in NOISE_EVENTS else None

    def swipe_to(self, item: PlacedWidget) -> Action | None:
        """A swipe that brings a widget nearer to the middle of what scrolls around it; None without such."""
        if not item.scrolls:
            return None  # it lies where there is no room for it
        for area in item.scrolls:
            if not _is_within(item.rect, area):
                return self._swipe(item.rect, area)
        return self._swipe(item.rect, item.scrolls[-1]) or Wait(WAIT_MS)

    def _swipe(self, rect: Rect, area: ScrollArea) -> Action | None:
        box = self._inner(area.visible)
        middle, goal = box.center, rect.center
        room = box.width if area.horizontal else box.height
        away = goal.x - middle.x if area.horizontal else goal.y - middle.y
        if not away or room < 2 * _SLOP * self.px:
            return None
        slop = _SLOP * self.px
        far = min(abs(away) + slop, room * _FARTHEST) * (1 if away > 0 else -1)
        start, end = round(far / 2), round(-far / 2)
        if area.horizontal:
            ends = Point(middle.x + start, middle.y), Point(middle.x + end, middle.y)
        else:
            ends = Point(middle.x, middle.y + start), Point(middle.x, middle.y + end)
        if abs(away) > _THROWN_FROM * room:
            took_ms = round(_THROWN_MS * abs(far) / (abs(away) - abs(far)))
            return Swipe(ends[0].x, ends[0].y, ends[1].x, ends[1].y, max(took_ms, _SHORTEST_MS))
        return _resting_swipe(*ends)

    def _inner(self, box: Rect) -> Rect:
        """A box without the edges of the screen, where the system takes swipes."""
        edge, top, bottom = (round(part * self.px) for part in (_EDGE, STATUS_BAR, GESTURE_BAR + 4))
        inside = Rect(edge, top, self.size.width - edge, self.size.height - bottom)
        return box.intersection(inside) or box


def _points(box: Rect) -> Iterator[Point]:
    for down in _SHARES:
        for across in _SHARES:
            yield Point(box.left + int(box.width * across), box.top + int(box.height * down))


def _is_within(rect: Rect, area: ScrollArea) -> bool:
    """Whether the middle of a widget is in view, in the direction in which an area scrolls."""
    box, middle = area.visible, rect.center
    if area.horizontal:
        return box.left <= middle.x < box.right
    return box.top <= middle.y < box.bottom


def _resting_swipe(start: Point, end: Point) -> Swipe:
    """A swipe whose finger rests before it lifts."""
    steps = [
        (
            _SWIPE_MS * number // _PARTS,
            start.x + (end.x - start.x) * number // _PARTS,
            start.y + (end.y - start.y) * number // _PARTS,
        )
        for number in range(_PARTS + 1)
    ]
    last = _SWIPE_MS + _REST_MS
    return Swipe(start.x, start.y, end.x, end.y, last, (*steps, (last, end.x, end.y)))
