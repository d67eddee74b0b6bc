"""Where a trajectory differs from its reference, each difference with its reason in a sentence.

A difference is a stretch of slots: steps under an anomaly, a loop, a detour, steps that were left out, or
another action on the same screen. The first of them is the first divergence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

import numpy as np

from collector.comparison.alignment.step_signature import StepSignature
from collector.comparison.alignment.step_similarity import StepSimilarity
from collector.comparison.alignment.trajectory_alignment import TrajectoryAlignment
from collector.hierarchy.captions import caption
from collector.model.action import Invalid
from collector.model.cancellation import check_cancelled
from collector.model.i18n import _, ngettext
from collector.model.trajectory import Step
from collector.store.trajectory.interruptions import Interruption

SAME_ACTION = 0.7
"""Actions at least so alike are the same action."""
_SAME_SCREEN = 0.9
"""Screens at least so alike are the same, when a loop is looked for."""
_BLOCK = 512
"""Steps that are compared with so many others at once."""


class DifferenceKind(StrEnum):
    """What a difference is."""

    ANOMALY = "anomaly"
    """Steps taken while an injected anomaly was on the screen."""
    LOOP = "loop"
    """Steps on screens, and with actions, that the trajectory had before."""
    INVALID = "invalid"
    """Answers of an agent that are no action."""
    DETOUR = "detour"
    """Steps without a counterpart."""
    LEFT_OUT = "left_out"
    """Steps of the reference without a counterpart."""
    ENDED = "ended"
    """The reference goes on where this trajectory ends: from its last screen, if both have it."""
    OTHER_ACTION = "other_action"
    """Another action on the same screen."""


@dataclass(frozen=True, slots=True)
class ReviewedTrajectory:
    """A trajectory as it is compared."""

    steps: Sequence[Step]
    signatures: Sequence[StepSignature]
    interruptions: Sequence[Interruption] = ()


@dataclass(frozen=True, slots=True)
class TrajectoryDifference:
    """One difference of trajectory number ``side`` from the reference, in the slots first to last."""

    kind: DifferenceKind
    side: int
    first: int
    last: int
    reason: str
    """A sentence."""


@dataclass(frozen=True, slots=True)
class AnomalyRecovery:
    """What became of a trajectory after an injected anomaly."""

    anomaly: str
    injected: int
    """Slot of the first step that came after the injection."""
    back: int | None
    """Slot where the trajectory does what the reference does again; None when it never does."""
    steps: int
    """Steps in between that the reference does not have."""
    reason: str


class TrajectoryComparison:
    """Trajectory number ``side`` of an alignment beside trajectory number ``reference``."""

    def __init__(
        self,
        alignment: TrajectoryAlignment,
        trajectories: Sequence[ReviewedTrajectory],
        side: int,
        reference: int = 0,
    ) -> None:
        self._alignment = alignment
        self._mine, self._other = trajectories[side], trajectories[reference]
        self._side, self._reference = side, reference
        self._slots = [(slot[side], slot[reference]) for slot in alignment.slots]
        """Own step and the reference's."""

    def differences(self) -> tuple[TrajectoryDifference, ...]:
        """How the trajectory differs, in order; the first is the first divergence."""
        kinds = self._kinds
        found: list[TrajectoryDifference] = []
        at = 0
        while at < len(kinds):
            kind, last = kinds[at], self._last_of(at)
            if kind is not None:
                reason = self._reason(kind, self._slots[at : last + 1])
                found.append(TrajectoryDifference(kind, self._side, at, last, reason))
            at = last + 1
        return tuple(found)

    def recoveries(self) -> tuple[AnomalyRecovery, ...]:
        """Of each injected anomaly where the trajectory came back to what the reference does."""
        return tuple(
            self._recovery(interruption)
            for interruption in self._mine.interruptions
            if interruption.slot < len(self._mine.steps)
        )

    def _last_of(self, at: int) -> int:
        """The last slot of the difference that begins at a slot."""
        kind, last = self._kinds[at], at
        if kind is None or kind is DifferenceKind.OTHER_ACTION:
            return at
        for number in range(at + 1, len(self._slots)):
            if self._kinds[number] is kind:
                last = number
            elif self._slots[number] != (None, None):  # a slot that a third trajectory alone has
                break
        return last

    @cached_property
    def _kinds(self) -> list[DifferenceKind | None]:
        """Of each slot what kind of difference it is; None where there is none."""
        return [self._kind(number, *slot) for number, slot in enumerate(self._slots)]

    def _kind(self, number: int, step: int | None, counterpart: int | None) -> DifferenceKind | None:
        if step is None:
            gone = DifferenceKind.ENDED if number > self._end else DifferenceKind.LEFT_OUT
            return gone if counterpart is not None else None
        if counterpart is not None:
            if step not in self._acting_otherwise:
                return None
            is_end = self._mine.steps[step].action is None
            return DifferenceKind.ENDED if is_end else DifferenceKind.OTHER_ACTION
        if step in self._interrupted:
            return DifferenceKind.ANOMALY
        if isinstance(self._mine.steps[step].action, Invalid):
            return DifferenceKind.INVALID
        return DifferenceKind.LOOP if step in self._looped else DifferenceKind.DETOUR

    @cached_property
    def _acting_otherwise(self) -> frozenset[int]:
        """The steps that do something else than their counterparts do, as far as it is known what they do."""
        both = [
            (mine, other)
            for mine, other in self._slots
            if mine is not None and other is not None
            and not _is_unknown(self._mine.steps, mine) and not _is_unknown(self._other.steps, other)
        ]  # fmt: skip
        steps, counterparts = [mine for mine, _other in both], [other for _mine, other in both]
        similarity = StepSimilarity(self._mine.signatures, self._other.signatures)
        alike = similarity.actions_of_pairs(steps, counterparts)
        return frozenset(step for step, value in zip(steps, alike, strict=True) if value < SAME_ACTION)

    @cached_property
    def _interrupted(self) -> frozenset[int]:
        """The own steps under an anomaly."""
        return frozenset(step for item in self._mine.interruptions for step in item.steps)

    @cached_property
    def _looped(self) -> frozenset[int]:
        """Of the steps without a counterpart those that do what the trajectory did before."""
        alone = [mine for mine, other in self._slots if mine is not None and other is None]
        return looping_steps(self._mine.signatures, alone)

    @cached_property
    def _end(self) -> int:
        """The slot of the last own step."""
        return max(
            (number for number, (step, _other) in enumerate(self._slots) if step is not None), default=-1
        )

    def _recovery(self, interruption: Interruption) -> AnomalyRecovery:
        first = self._alignment.slot_of(self._side, interruption.slot)
        under = () if interruption.native else interruption.steps
        back = next(
            (
                number
                for number, (step, counterpart) in enumerate(self._slots)
                if number >= first and step is not None and counterpart is not None and step not in under
            ),
            None,
        )
        between = self._slots[first:back]
        steps = sum(step is not None and counterpart is None for step, counterpart in between)
        step = self._slots[back][0] if back is not None else None
        return AnomalyRecovery(interruption.anomaly, first, back, steps, _recovery_sentence(step, steps))

    def _reason(self, kind: DifferenceKind, slots: Sequence[tuple[int | None, int | None]]) -> str:
        own = [step for step, _counterpart in slots if step is not None]
        theirs = [counterpart for _step, counterpart in slots if counterpart is not None]
        if kind is DifferenceKind.OTHER_ACTION:
            return _(
                "On the same screen: {mine}; the reference: {other}",
                mine=describe_step(self._mine.steps[own[0]]),
                other=describe_step(self._other.steps[theirs[0]]),
            )
        if kind is DifferenceKind.ANOMALY:
            met = [item.anomaly for item in self._mine.interruptions if set(item.steps) & set(own)]
            return ngettext(
                "{count} step under the anomaly {anomaly}", "{count} steps under the anomaly {anomaly}",
                len(own), anomaly=", ".join(dict.fromkeys(met)),
            )  # fmt: skip
        is_of_reference = kind in (DifferenceKind.LEFT_OUT, DifferenceKind.ENDED)
        steps, source = (theirs, self._other) if is_of_reference else (own, self._mine)
        return _stretch_sentence(kind, len(steps), describe_step(source.steps[steps[0]]))


def _is_unknown(steps: Sequence[Step], number: int) -> bool:
    """Whether a step was recorded without its action: only the last has none."""
    return steps[number].action is None and number < len(steps) - 1


def looping_steps(signatures: Sequence[StepSignature], steps: Sequence[int] | None = None) -> frozenset[int]:
    """The steps that do on a screen what the trajectory already did on the same one; by default of all."""
    asked = np.arange(len(signatures)) if steps is None else np.array(steps, np.int64)
    similarity = StepSimilarity(signatures, signatures)
    looping: set[int] = set()
    for start in range(0, len(asked), _BLOCK):
        rows = asked[start : start + _BLOCK]
        check_cancelled()
        for first in range(0, int(rows.max()), _BLOCK):
            columns = np.arange(first, min(int(rows.max()), first + _BLOCK))
            alike = (similarity.screens(rows, columns) >= _SAME_SCREEN) & (
                similarity.actions(rows, columns) >= SAME_ACTION
            )
            looping.update(rows[(alike & (columns[None, :] < rows[:, None])).any(axis=1)].tolist())
    return frozenset(looping)


def describe_step(step: Step) -> str:
    """The description of a step, else its action in words."""
    if step.description:
        return step.description
    return caption(step.action) if step.action is not None else _("the end")


def _recovery_sentence(step: int | None, steps: int) -> str:
    if step is None:
        return _("It never comes back to the path of the reference")
    if not steps:
        return _("It goes on as the reference does at step {step}", step=step + 1)
    return ngettext(
        "It is back on the path of the reference at step {step}, after {count} step more",
        "It is back on the path of the reference at step {step}, after {count} steps more",
        steps, step=step + 1,
    )  # fmt: skip


def _stretch_sentence(kind: DifferenceKind, count: int, what: str) -> str:
    if kind is DifferenceKind.LOOP:
        return ngettext(
            "{count} step repeats what was done before: {what}",
            "{count} steps repeat what was done before, from: {what}", count, what=what,
        )  # fmt: skip
    if kind is DifferenceKind.INVALID:
        return ngettext("{count} answer is no action", "{count} answers are no actions", count)
    if kind is DifferenceKind.LEFT_OUT:
        return ngettext(
            "{count} step of the reference is left out: {what}",
            "{count} steps of the reference are left out, from: {what}", count, what=what,
        )  # fmt: skip
    if kind is DifferenceKind.ENDED:
        return ngettext(
            "It ends; the reference has {count} step more: {what}",
            "It ends; the reference has {count} steps more, from: {what}", count, what=what,
        )  # fmt: skip
    return ngettext(
        "{count} step that the reference does not have: {what}",
        "{count} steps that the reference does not have, from: {what}", count, what=what,
    )  # fmt: skip
