"""Taps on the phone's own keyboard: its keys are in no tree, so what was typed is read back from the field.

One :class:`TypingRun` is the presses that follow each other. A press where keyboards have their
action key is a stretch of its own: what came of it tells whether it was Enter.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from collector.model.action import Action, Key, Swipe, Type
from collector.model.geometry import Point, Rect
from collector.model.i18n import _
from collector.model.tree import Node
from collector.recorder.field_reading import (
    SETTLE_NS,
    FieldReading,
    changed_by_one,
    same_field,
    text_of,
    typed_between,
)  # fmt: skip
from collector.recorder.gestures import Gesture
from collector.recorder.screen_moment import ScreenMoment

PAUSE_NS = 1_500_000_000
_PATIENCE_NS = 2_500_000_000
_MOST_READINGS = 64
_ACTION_ZONE = (0.8, 0.66)
"""Where the action key begins, as shares of the keyboard's width and height."""
_EDGE_DP = 24
_TRAVEL_DP = 48
_BASE_DPI = 160


def is_key_press(gesture: Gesture, keyboard: Rect | None, moment: ScreenMoment, density: int) -> bool:
    """Whether a gesture was meant for the keyboard: it began there and is no gesture of the system."""
    if keyboard is None or not keyboard.contains(gesture.down):
        return False
    action, dp = gesture.action, max(density, 1) / _BASE_DPI
    if not isinstance(action, Swipe):
        return True
    across, down = abs(action.x2 - action.x1), action.y1 - action.y2
    low = gesture.down.y >= moment.screen.height - _EDGE_DP * dp
    side = gesture.down.x < _EDGE_DP * dp or gesture.down.x >= moment.screen.width - _EDGE_DP * dp
    goes_home = low and down > _TRAVEL_DP * dp
    goes_back = side and across > max(_TRAVEL_DP * dp, abs(down))
    return not goes_home and not goes_back


def is_action_key(point: Point, keyboard: Rect) -> bool:
    """Whether keyboards have Enter there: at the right end of the lowest row."""
    across, down = _ACTION_ZONE
    return (
        point.x >= keyboard.left + across * keyboard.width
        and point.y >= keyboard.top + down * keyboard.height
    )


@dataclass(frozen=True, slots=True, eq=False)
class TypingOutcome:
    """What a stretch came to: ``action`` is None when it left nothing, as a change of language does."""

    moment: ScreenMoment
    action: Action | None
    erased: int = 0
    left: FieldReading | None = None
    """The field with all that was accounted for."""
    doubt: str = ""


@dataclass(slots=True, eq=False)
class TypingRun:
    """Presses from ``moment`` on; readings come in until ``limit_ns``, when something else was done."""

    moment: ScreenMoment
    is_action_key: bool
    before: FieldReading | None
    touched: Node | None = None
    """The field that was tapped before it, as far as one was."""
    presses: int = 0
    last_ns: int = 0
    limit_ns: int | None = None
    after: FieldReading | None = None
    known: bool = False
    """Whether what ``before`` says is text for certain, not a hint."""
    later: FieldReading | None = None
    """The first reading that may be from after the limit: good for what the field still has."""
    seen: deque[FieldReading] = field(default_factory=lambda: deque(maxlen=_MOST_READINGS))

    def press(self, now_ns: int) -> None:
        self.presses += 1
        self.last_ns = now_ns

    def observe(self, reading: FieldReading) -> None:
        """A tree came; it speaks of this stretch when it was made between its first press and its limit."""
        if reading.finished_ns < self.moment.time_ns:
            return
        if self.limit_ns is not None and reading.finished_ns > self.limit_ns:
            self.later = self.later or reading
            return
        self.after = reading
        self.seen.append(reading)

    @property
    def is_complete(self) -> bool:
        """Whether a reading has the last press in it."""
        return self.after is not None and self.after.started_ns >= self.last_ns + SETTLE_NS

    def is_ready(self, now_ns: int) -> bool:
        """Whether nothing better is to come."""
        waited = now_ns - self.last_ns
        if self.limit_ns is None:
            over = waited >= (SETTLE_NS if self.is_action_key else PAUSE_NS)
            return over and (self.is_complete or waited >= PAUSE_NS + _PATIENCE_NS)
        return self.is_complete or self.later is not None or now_ns - self.limit_ns >= _PATIENCE_NS

    @property
    def fields(self) -> list[Node]:
        """What is known of the fields that may have been typed into."""
        best = best_reading(self)
        known = (self.before, *self.seen, best)
        return [one.node for one in known if one is not None and one.node is not None]


class SoftKeyboardTyping:
    """The stretch that is open and those that wait for a reading, in order. The recorder's lock guards it."""

    def __init__(self) -> None:
        self._open: TypingRun | None = None
        self._waiting: deque[TypingRun] = deque()
        self._last: FieldReading | None = None
        """The newest reading of any stretch: what the next begins with."""
        self._left: FieldReading | None = None
        """What the newest resolved stretch left in its field."""
        self._observed_ns = 0

    @property
    def is_open(self) -> bool:
        return self._open is not None

    @property
    def is_waiting(self) -> bool:
        """Whether readings are awaited."""
        return self._open is not None or bool(self._waiting)

    def press(
        self, moment: ScreenMoment, gesture: Gesture, keyboard: Rect, touched: Node | None = None
    ) -> TypingRun | None:
        """One press; the stretch it began, None when it went on with the one that is open."""
        action_key = is_action_key(gesture.down, keyboard)
        current = self._open
        if current is not None and (action_key or current.is_action_key):
            self.close(gesture.started_ns)
            current = None
        begun = None
        if current is None:
            begun = current = self._open = TypingRun(moment, action_key, self._before(moment), touched)
        current.press(gesture.finished_ns)
        return begun

    def close(self, limit_ns: int) -> None:
        """Something else is done at ``limit_ns``: trees begun later say nothing of what was typed."""
        if self._open is not None:
            self._open.limit_ns = limit_ns
            self._waiting.append(self._open)
            self._open = None

    def observe(self, reading: FieldReading) -> None:
        """A tree as it came from the phone; the same one may be given again."""
        if reading.started_ns <= self._observed_ns:
            return
        self._observed_ns = reading.started_ns
        for stretch in (*self._waiting, *([self._open] if self._open is not None else [])):
            stretch.observe(reading)
        if self.is_waiting:
            self._last = reading

    def ready(self, stretch: TypingRun, now_ns: int) -> bool:
        """Whether a stretch can be resolved; one that is open ends by it."""
        if not stretch.is_ready(now_ns):
            return False
        self.resolve(stretch)
        return True

    def resolve(self, stretch: TypingRun) -> None:
        """Take a stretch out: with what those before it came to, it can be told what it was."""
        if stretch is self._open:
            self._open = None
        else:
            self._waiting.remove(stretch)
        left = self._left
        if left is not None and (stretch.before is None or left.is_same_field(stretch.before)):
            # What was accounted for already is not typed again, however the trees overlap.
            stretch.before, stretch.known = left, True

    def account(self, left: FieldReading | None) -> None:
        """What the stretch just resolved left in its field; None when that is not known."""
        self._left = left

    def wants_tree(self, now_ns: int) -> bool:
        """Whether a stretch has settled and no tree was begun since: one should be asked for."""
        stretch = self._open or (self._waiting[-1] if self._waiting else None)
        if stretch is None or stretch.is_complete or stretch.limit_ns is not None:
            return False
        return now_ns - stretch.last_ns >= SETTLE_NS

    def _before(self, moment: ScreenMoment) -> FieldReading | None:
        """What the field said before the first press, as far as a tree was at hand."""
        snapshot = moment.snapshot
        fresh = FieldReading.of(snapshot) if snapshot is not None else None
        last = self._last
        if last is None or last.finished_ns > moment.time_ns:
            return fresh
        return fresh if fresh is not None and fresh.started_ns >= last.started_ns else last


def outcome(stretch: TypingRun, *, secret: bool) -> TypingOutcome:
    """What the presses came to."""
    if stretch.is_action_key and _was_enter(stretch):
        return TypingOutcome(stretch.moment, Key("enter"))
    best = best_reading(stretch)
    whole = stretch.is_complete or (best is not None and best not in stretch.seen)
    text, erased = "", 0
    if best is not None and best.node is not None:
        before = _field_before(stretch, best)
        text, erased = typed_between(before, best.node, stretch.presses, known=stretch.known)
    if not text and not erased:
        if whole and best is not None:
            return TypingOutcome(stretch.moment, Key("back") if _put_away(stretch) else None, left=best)
        unread = _("What was typed on the phone's keyboard could not be read back")
        return TypingOutcome(stretch.moment, Type("", stretch.presses, redacted=secret), doubt=unread)
    doubt = "" if whole else _("The next action came before all that was typed could be read back")
    if secret:
        return TypingOutcome(stretch.moment, Type("", len(text), redacted=True), erased, best, doubt)
    return TypingOutcome(stretch.moment, Type(text, len(text)), erased, best, doubt)


def best_reading(stretch: TypingRun) -> FieldReading | None:
    """The reading that has most of what was typed; None when no tree had the field."""
    known = next((one for one in reversed(stretch.seen) if one.node is not None), None)
    if stretch.is_complete or stretch.later is None:
        return known
    before = stretch.before.node if stretch.before is not None else None
    field = known.node if known is not None else before or stretch.touched
    still = same_field(stretch.later.tree, field) if field is not None else None
    if still is None or field is None:
        return known
    grown = text_of(still).startswith(text_of(field)) and text_of(still) != ""
    return replace(stretch.later, node=still) if grown or known is None else known


def _field_before(stretch: TypingRun, best: FieldReading) -> Node | None:
    before = stretch.before
    if before is not None and before.is_same_field(best):
        return before.node
    assert best.node is not None
    return same_field(stretch.moment.tree, best.node)


def _put_away(stretch: TypingRun) -> bool:
    """Whether all that came of the presses is that the keyboard went, as its own button does."""
    before, after = stretch.before, stretch.after
    if before is None or after is None or after.keyboard or not before.keyboard:
        return False
    return after.is_same_field(before) and after.screen == before.screen


def _was_enter(stretch: TypingRun) -> bool:
    """Enter leaves the field, sends its text off, or begins a line; another key there changes one letter."""
    before, after = stretch.before, stretch.after or stretch.later
    if before is None or before.node is None or after is None or after.node is None:
        return True
    if not after.is_same_field(before) or not after.keyboard or after.screen != before.screen:
        return True
    return not changed_by_one(before.node, after.node)
