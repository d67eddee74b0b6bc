"""Filter the slots of a review by words and ``key:value``, as in ``action:type -app:launcher "Low battery"``.

The syntax is that of :mod:`collector.store.catalogue.query`. All parts without ``-`` must hold of the step
of one side; a part with ``-`` must hold of no side.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence

from collector.comparison.alignment.aligned import LETTERS, AlignedTrajectories
from collector.comparison.alignment.differences import DifferenceKind
from collector.comparison.steps.review_slots import ReviewSlots
from collector.comparison.steps.trajectory_index import IndexedStep, TrajectoryIndex
from collector.model.action import ACTIONS
from collector.model.i18n import N_, _
from collector.model.verdicts.judgement import MISSED, REACHED
from collector.store.catalogue.query import NO_WORDS, NUMBER_PATTERN, TOKEN_PATTERN, YES_WORDS, QueryError

_TEXT = "text"
KEYS: Mapping[str, str] = {
    "action": N_("kind of the action, as in action:type"),
    "activity": N_("activity of the screen"),
    "anomaly": N_("anomaly that the step was taken under"),
    "app": N_("package of the app"),
    "difference": N_("kind of difference from the reference, as in difference:loop"),
    "event": N_("what happened to the phone before, as in event:rotated"),
    "gap": N_("yes where a trajectory has no step"),
    "judge": N_("who judged this step, or the whole at its end"),
    "latency": N_("seconds that the agent thought, as in latency:>2"),
    "problem": N_("yes, no, or words of the problem of a screen"),
    "rule": N_("injection rule that held"),
    "side": N_("letter of the trajectory: A, B, C or D"),
    "state": N_("reached, missed, or an essential state by its id"),
    "step": N_("number of the step, from 1, as in step:>=10"),
    _TEXT: N_("words in the screen, the action or the thought"),
    "thought": N_("words in what the agent said"),
    "verdict": N_("verdict on the task, or of one judge, as in verdict:failure=rules"),
}
"""Key -> what it asks of a step."""
_ANY, _NONE = ("any", *YES_WORDS), ("none", *NO_WORDS)
_COMPARE: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "=": operator.eq,
}  # fmt: skip
_LISTS: Mapping[str, Callable[[IndexedStep], Iterable[str]]] = {
    "action": lambda step: (step.action,) if step.action else (),
    "activity": lambda step: _parts(step.step.state.activity),
    "anomaly": lambda step: step.anomalies,
    "app": lambda step: _parts(step.step.state.package),
    "event": lambda step: [event.kind for event in step.events],
    "judge": lambda step: [judgement.judge for judgement in step.judgements],
    "rule": lambda step: step.rules,
    "verdict": lambda step: [f"{item.verdict}={item.judge}" for item in step.judgements],
}
"""Keys of words of a step: one of them must begin with the value."""
_NUMBERS: Mapping[str, Callable[[IndexedStep], float | None]] = {
    "latency": lambda step: None if step.latency_ms is None else step.latency_ms / 1000,
    "step": lambda step: step.number + 1,
}


Test = Callable[[ReviewSlots, int, int], bool]
"""Whether a part of a query holds of a slot and a side."""


class StepQuery:
    """A query over the slots of a review. An empty one leaves none out.

    Raises QueryError for a key or a value that there is not.
    """

    def __init__(self, text: str) -> None:
        self._wanted: list[Test] = []
        self._unwanted: list[Test] = []
        for match in TOKEN_PATTERN.finditer(text):
            minus, written, quoted, bare = match.groups()
            key = written.lower() if written else _TEXT
            value = quoted if quoted is not None else bare or ""
            if key not in KEYS:
                raise QueryError(
                    _("Steps have no search key {key}", key=written), "",
                    _("Use one of: {known}", known=", ".join(KEYS)),
                )  # fmt: skip
            (self._unwanted if minus else self._wanted).append(_test(key, value.casefold()))

    @property
    def is_empty(self) -> bool:
        """Whether it has no parts."""
        return not self._wanted and not self._unwanted

    def slots(self, aligned: AlignedTrajectories, indexes: Sequence[TrajectoryIndex]) -> frozenset[int]:
        """The slots that fit. ``indexes`` are those of the trajectories of ``aligned``, in their order."""
        review = ReviewSlots(aligned, indexes)
        return frozenset(slot for slot in range(len(aligned.slots)) if self._fits(review, slot))

    def _fits(self, review: ReviewSlots, slot: int) -> bool:
        sides = range(len(review.indexes))
        if any(test(review, slot, side) for test in self._unwanted for side in sides):
            return False
        return any(all(test(review, slot, side) for test in self._wanted) for side in sides)


def _test(key: str, value: str) -> Test:
    if key in _LISTS:
        return _listed(key, value)
    if key in _NUMBERS:
        return _compared(key, value)
    return _SPECIAL[key](value)


def _listed(key: str, value: str) -> Test:
    items = _LISTS[key]
    if key == "action" and value not in (*_ANY, *_NONE):
        _require(key, value, tuple(ACTIONS))
    if value in _ANY or value in _NONE:
        return _of_step(lambda step: any(items(step)) == (value in _ANY))
    return _of_step(lambda step: any(_begins(item, value) for item in items(step)))


def _compared(key: str, value: str) -> Test:
    match = NUMBER_PATTERN.fullmatch(value)
    if not match:
        raise QueryError(
            _("{key} is compared with a number, not {value!r}", key=key, value=value), "",
            _("Write {key}:2, {key}:<2 or {key}:>=2", key=key),
        )  # fmt: skip
    number_of, compare, number = _NUMBERS[key], _COMPARE[match[1] or "="], float(match[2])

    def holds(step: IndexedStep) -> bool:
        known = number_of(step)
        return known is not None and compare(known, number)

    return _of_step(holds)


def _difference(value: str) -> Test:
    if value not in (*_ANY, *_NONE):
        _require("difference", value, tuple(kind.value for kind in DifferenceKind))

    def holds(review: ReviewSlots, slot: int, side: int) -> bool:
        if value in _NONE:
            return not any(slot in kinds for kinds in review.differences)
        here = review.differences[side].get(slot, ())
        return any(value in _ANY or _begins(kind, value) for kind in here)

    return holds


def _gap(value: str) -> Test:
    _require("gap", value, (*YES_WORDS, *NO_WORDS))
    return lambda review, slot, side: (review.step(slot, side) is None) == (value in YES_WORDS)


def _problem(value: str) -> Test:
    if value in (*_ANY, *_NONE):
        return _of_step(lambda step: bool(step.step.state.problem) == (value in _ANY))
    return _of_step(lambda step: value in step.step.state.problem.casefold())


def _side(value: str) -> Test:
    _require("side", value, tuple(LETTERS.casefold()))
    return lambda review, slot, side: (
        LETTERS[side].casefold() == value and review.step(slot, side) is not None
    )


def _state(value: str) -> Test:
    """Where an essential state is reached; a missed one is where another side reaches it, else at the end."""

    def holds(review: ReviewSlots, slot: int, side: int) -> bool:
        step = review.step(slot, side)
        reached = [state for state, _judge in step.reached] if step is not None else []
        missed = review.missed[side].get(slot, ())
        if value in (REACHED, MISSED):
            return bool(reached if value == REACHED else missed)
        if value in _ANY or value in _NONE:
            return bool(reached or missed) == (value in _ANY)
        return any(_begins(state, value) for state in (*reached, *missed))

    return holds


def _words(value: str) -> Test:
    def holds(review: ReviewSlots, slot: int, side: int) -> bool:
        step = review.step(slot, side)
        if step is None:
            return False
        signatures = review.aligned.reviewed[side].signatures
        on_screen = signatures[step.number].texts if signatures else ()
        return any(value in text for text in on_screen) or value in _said(step)

    return holds


def _thought(value: str) -> Test:
    return _of_step(lambda step: value in step.thought.casefold())


def _said(step: IndexedStep) -> str:
    """Everything that is written of a step, apart from its screen."""
    recorded = step.step
    target = recorded.target.attributes if recorded.target is not None else {}
    texts = (
        step.caption, recorded.note, recorded.intention, step.thought, getattr(recorded.action, "text", ""),
        target.get("text", ""), target.get("content-desc", ""),
    )  # fmt: skip
    return "\n".join(texts).casefold()


_SPECIAL: Mapping[str, Callable[[str], Test]] = {
    "difference": _difference,
    "gap": _gap,
    "problem": _problem,
    "side": _side,
    "state": _state,
    "thought": _thought,
    _TEXT: _words,
}


def _of_step(holds: Callable[[IndexedStep], bool]) -> Test:
    """A test of the step of a side; a gap has none."""

    def test(review: ReviewSlots, slot: int, side: int) -> bool:
        step = review.step(slot, side)
        return step is not None and holds(step)

    return test


def _begins(item: str, value: str) -> bool:
    """Whether an item is the value behind ``=``, has it anywhere behind ``*``, else begins with it."""
    known = item.casefold()
    if value.startswith("=") and len(value) > 1:
        return known == value[1:]
    if value.startswith("*") and len(value) > 1:
        return value[1:] in known
    return known.startswith(value)


def _parts(name: str) -> list[str]:
    """A package or an activity, and what follows each of its dots."""
    pieces = name.split(".")
    return [".".join(pieces[at:]) for at in range(len(pieces)) if pieces[at]] + ([name] if name else [])


def _require(key: str, value: str, known: Sequence[str]) -> None:
    """Raise QueryError when no known value of a key fits."""
    if not any(_begins(item, value) for item in known):
        raise QueryError(
            _("{key} is never {value!r}", key=key, value=value), "",
            _("Use one of: {known}", known=", ".join(known)),
        )  # fmt: skip
