"""How far a target is reached along the screens of a trajectory, by the data of apps at each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from collector.model.app_data.collections import AppData
from collector.model.app_data.document import app_in_front
from collector.model.app_data.target import TaskTarget
from collector.model.i18n import _
from collector.rules.evaluation.state_view import StateView
from collector.targets.known_outcomes import KnownOutcomes
from collector.targets.outcome import (
    TargetOutcome,
    effect_text,
    lacking_text,
    part_text,
    tolerance_text,
)


@dataclass(slots=True)
class TargetProgress:
    """Compares the data of each screen with those of the first. Steps are those of the views, from 1."""

    known: KnownOutcomes
    """Of the target; trajectories of a task may share them."""
    outcomes: list[tuple[int, TargetOutcome]] = field(default_factory=list)
    """Of each screen whose data are known: its step, and what they come to."""
    reached: int | None = None
    """The first step at which the target was reached."""
    _first: AppData | None = None

    @property
    def target(self) -> TaskTarget:
        return self.known.target

    def copy(self) -> TargetProgress:
        """Copy what was compared so far; each of both goes on by itself."""
        return TargetProgress(self.known, list(self.outcomes), self.reached, self._first)

    def see(self, view: StateView, *, counts: bool) -> None:
        """Note a screen; one whose data are not known is passed over.

        The target is not reached on a screen that does not count: before anything was done.
        """
        data = view.app_data()
        if data is None:
            return
        if self._first is None:
            self._first = data
        outcome = self.known.of(self._first, data, app_in_front(view.package))
        self.outcomes.append((view.step, outcome))
        if outcome.reward and counts and self.reached is None:
            self.reached = view.step

    @property
    def decisive(self) -> tuple[int, TargetOutcome] | None:
        """The step that decides, with its outcome: the first that reaches the target, else the last."""
        if self.reached is not None:
            return next(item for item in self.outcomes if item[0] == self.reached)
        return self.outcomes[-1] if self.outcomes else None


def explain_target(progress: TargetProgress, index_of: Callable[[int], int]) -> tuple[str, dict[str, Any]]:
    """Why a target is reached or not, in a sentence, and the proof; ``index_of`` gives the index of a step.

    ``steps`` of the proof has each step at which something differs from the one before it.
    """
    if progress.decisive is None:
        return _("The data of apps are not known: only the virtual phone says them"), {}
    step, outcome = progress.decisive
    reason = _why(progress.target, outcome, reached=progress.reached is not None)
    texts = [part_text(progress.target, number) for number in range(len(progress.target.parts))]
    proof = {
        "step": index_of(step), "summary": reason, "parts": texts,
        "tolerance": tolerance_text(progress.target), "steps": list(_steps(progress, index_of)),
    }  # fmt: skip
    return reason, proof


def _why(target: TaskTarget, outcome: TargetOutcome, *, reached: bool) -> str:
    if reached:
        return _("Everything is as the target says, and nothing else was changed")
    return lacking_text(target, outcome) or _("The target holds from the start: nothing was done")


def _steps(progress: TargetProgress, index_of: Callable[[int], int]) -> Iterator[dict[str, Any]]:
    before: tuple[object, ...] | None = None
    for step, outcome in progress.outcomes:
        effects = list(map(effect_text, outcome.side_effects))
        now = (outcome.reward, outcome.holds, tuple(effects))
        if now != before:
            line = {"step": index_of(step), "reward": outcome.reward, "holds": list(outcome.holds)}
            yield {**line, "side_effects": effects}
        before = now
