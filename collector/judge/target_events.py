"""What became of a target along a trajectory: which parts began and ceased to hold, and side effects.

Read from the proof of a judgement, as ``explain_target`` writes it. A proof may come from a stranger: what
it does not have, or has in another form, is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import chain, islice
from typing import Any

from collector.judge.state_judge import STATE_JUDGE
from collector.model.verdicts.judgement import TASK, Judgement

MOST_PARTS = 100
"""Of a target, as many as one may have."""
_MOST_STEPS, _MOST_EFFECTS, _MOST_EVENTS, _LONGEST = 2000, 50, 1000, 300


class TargetChange(Enum):
    """What happens at a step."""

    HELD = auto()
    """A part holds from here on."""
    LOST = auto()
    """A part holds no longer."""
    MISSED = auto()
    """A part never held."""
    SIDE_EFFECT = auto()
    """Something else was changed."""
    UNDONE = auto()
    """A side effect is no more."""


@dataclass(frozen=True, slots=True)
class TargetEvent:
    """One change of how far a target is reached."""

    change: TargetChange
    step: int | None
    """The index of the step; None for a part that never held."""
    text: str
    """The part or the side effect in words, as the judge stored it."""
    part: int = -1
    """The number of the part; -1 for a side effect."""
    until: int | None = None
    """Of a part that holds, or a side effect, the step at which that ended; None when it did not."""


def target_events(judgements: Iterable[Judgement]) -> tuple[TargetEvent, ...]:
    """The course of the target of a trajectory, by its step; none when no judge compared it with a target.

    The judge by targets goes before others that did, as the judge by rules does.
    """
    of_task = [each for each in judgements if each.subject.kind == TASK and each.proof.get("parts")]
    if not of_task:
        return ()
    proof = min(of_task, key=lambda each: each.judge != STATE_JUDGE).proof
    parts = _texts(proof["parts"], MOST_PARTS)
    lines = list(_lines(proof.get("steps")))
    if not lines:
        return ()
    of_parts = (event for number, text in enumerate(parts) for event in _of_part(number, text, lines))
    events = islice(chain(of_parts, _of_effects(lines)), _MOST_EVENTS)
    return tuple(sorted(events, key=lambda event: (event.step is None, event.step or 0)))


@dataclass(frozen=True, slots=True)
class _Line:
    step: int
    holds: tuple[bool, ...]
    effects: tuple[str, ...]


def _lines(given: Any) -> Iterator[_Line]:
    """The steps at which something differs from the step before, ascending."""
    last = -1
    for line in given[:_MOST_STEPS] if isinstance(given, list) else ():
        if not isinstance(line, Mapping) or not isinstance(line.get("holds"), list):
            continue
        step = line.get("step")
        if isinstance(step, int) and not isinstance(step, bool) and step >= max(0, last):
            last = step
            holds = tuple(each is True for each in line["holds"][:MOST_PARTS])
            yield _Line(step, holds, _texts(line.get("side_effects"), _MOST_EFFECTS))


def _texts(given: Any, most: int) -> tuple[str, ...]:
    texts = given[:most] if isinstance(given, list) else ()
    return tuple(text[:_LONGEST] for text in texts if isinstance(text, str))


def _of_part(number: int, text: str, lines: list[_Line]) -> Iterator[TargetEvent]:
    spans = list(_spans([(line.step, number < len(line.holds) and line.holds[number]) for line in lines]))
    for first, end in spans:
        yield TargetEvent(TargetChange.HELD, first, text, number, end)
        if end is not None:
            yield TargetEvent(TargetChange.LOST, end, text, number)
    if not spans:
        yield TargetEvent(TargetChange.MISSED, None, text, number)


def _of_effects(lines: list[_Line]) -> Iterator[TargetEvent]:
    for text in islice(dict.fromkeys(text for line in lines for text in line.effects), _MOST_EFFECTS):
        for first, end in _spans([(line.step, text in line.effects) for line in lines]):
            yield TargetEvent(TargetChange.SIDE_EFFECT, first, text, until=end)
            if end is not None:
                yield TargetEvent(TargetChange.UNDONE, end, text)


def _spans(states: Iterable[tuple[int, bool]]) -> Iterator[tuple[int, int | None]]:
    """The first step of each time that something is so, and the step at which it ends; None for never."""
    first: int | None = None
    for step, is_so in states:
        if is_so and first is None:
            first = step
        elif not is_so and first is not None:
            yield first, step
            first = None
    if first is not None:
        yield first, None
