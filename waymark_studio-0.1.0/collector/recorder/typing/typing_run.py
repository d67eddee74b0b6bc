"""A typing run: key presses on the soft keyboard that follow each other, and the action they stand for.

The keys of a soft keyboard are in no tree, so the text comes from reading the field before and after. A
press where keyboards have their action key is a run of its own: its effect shows whether it was Enter.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from collector.model.action import Action, Key, Type
from collector.model.message import _
from collector.model.tree import Node
from collector.recorder.screen_moment import ScreenMoment
from collector.recorder.typing.field_reading import (
    SETTLE_NS,
    FieldReading,
    changed_by_one,
    same_field,
    text_of,
    typed_between,
)

PAUSE_NS = 1_500_000_000
_PATIENCE_NS = 2_500_000_000
_MAX_READINGS = 64


@dataclass(frozen=True, slots=True, eq=False)
class TypingOutcome:
    """What a typing run did: ``action`` is None when it changed nothing, as a change of language does."""

    action: Action | None
    erased: int = 0
    field: FieldReading | None = None
    """The field with everything that is accounted for."""
    doubt: str = ""


@dataclass(slots=True, eq=False)
class TypingRun:
    """Presses from ``moment`` on. It takes readings until ``limit_ns``, when something else was done."""

    moment: ScreenMoment
    is_action_key: bool
    before: FieldReading | None
    touched: Node | None = None
    """The field that was tapped before the run, if one was."""
    presses: int = 0
    last_ns: int = 0
    limit_ns: int | None = None
    after: FieldReading | None = None
    before_is_text: bool = False
    """Whether what ``before`` shows is certainly text and not a hint."""
    later: FieldReading | None = None
    """The first reading that may be from after the limit; it shows what the field still has."""
    readings: deque[FieldReading] = field(default_factory=lambda: deque(maxlen=_MAX_READINGS))

    def press(self, now_ns: int) -> None:
        self.presses += 1
        self.last_ns = now_ns

    def observe(self, reading: FieldReading) -> None:
        """Take a reading; only those made between the first press and the limit belong to the run."""
        if reading.finished_ns < self.moment.time_ns:
            return
        if self.limit_ns is not None and reading.finished_ns > self.limit_ns:
            self.later = self.later or reading
            return
        self.after = reading
        self.readings.append(reading)

    @property
    def is_complete(self) -> bool:
        """Whether a reading includes the last press."""
        return self.after is not None and self.after.started_ns >= self.last_ns + SETTLE_NS

    def is_ready(self, now_ns: int) -> bool:
        """Whether no better reading can be expected."""
        waited = now_ns - self.last_ns
        if self.limit_ns is None:
            paused = waited >= (SETTLE_NS if self.is_action_key else PAUSE_NS)
            return paused and (self.is_complete or waited >= PAUSE_NS + _PATIENCE_NS)
        return self.is_complete or self.later is not None or now_ns - self.limit_ns >= _PATIENCE_NS

    @property
    def fields(self) -> list[Node]:
        """The fields that may have been typed into."""
        readings = (self.before, *self.readings, best_reading(self))
        return [reading.node for reading in readings if reading is not None and reading.node is not None]


def typing_outcome(run: TypingRun, *, secret: bool) -> TypingOutcome:
    """The action that the presses of ``run`` stand for; with ``secret`` without its text."""
    if run.is_action_key and _was_enter(run):
        return TypingOutcome(Key("enter"))
    best = best_reading(run)
    is_whole = run.is_complete or (best is not None and best not in run.readings)
    text, erased = "", 0
    if best is not None and best.node is not None:
        before = _field_before(run, best)
        text, erased = typed_between(before, best.node, run.presses, before_is_text=run.before_is_text)
    if not text and not erased:
        if is_whole and best is not None:
            return TypingOutcome(Key("back") if _closed_keyboard(run) else None, field=best)
        unread = _("What was typed on the phone's keyboard could not be read back")
        return TypingOutcome(Type("", run.presses, redacted=secret), doubt=unread)
    doubt = "" if is_whole else _("The next action came before all that was typed could be read back")
    action = Type("" if secret else text, len(text), redacted=secret)
    return TypingOutcome(action, erased, best, doubt)


def best_reading(run: TypingRun) -> FieldReading | None:
    """The reading that has most of what was typed; None when no tree had the field."""
    newest = next((reading for reading in reversed(run.readings) if reading.node is not None), None)
    if run.is_complete or run.later is None:
        return newest
    before = run.before.node if run.before is not None else None
    field = newest.node if newest is not None else before or run.touched
    later = same_field(run.later.tree, field) if field is not None else None
    if later is None or field is None:
        return newest
    has_grown = text_of(later).startswith(text_of(field)) and text_of(later) != ""
    return replace(run.later, node=later) if has_grown or newest is None else newest


def _field_before(run: TypingRun, best: FieldReading) -> Node | None:
    before = run.before
    if before is not None and before.is_same_field(best):
        return before.node
    assert best.node is not None
    return same_field(run.moment.tree, best.node)


def _closed_keyboard(run: TypingRun) -> bool:
    """Whether the presses only closed the keyboard, as its own button does."""
    before, after = run.before, run.after
    if before is None or after is None or after.keyboard or not before.keyboard:
        return False
    return after.is_same_field(before) and after.screen == before.screen


def _was_enter(run: TypingRun) -> bool:
    """Enter leaves the field, sends its text or starts a line; any other key there changes one letter."""
    before, after = run.before, run.after or run.later
    if before is None or before.node is None or after is None or after.node is None:
        return True
    if not after.is_same_field(before) or not after.keyboard or after.screen != before.screen:
        return True
    return not changed_by_one(before.node, after.node)
