"""Suggested essential states: what is proposed, why, and what is missing to propose more."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from collector.model.essential_state import EssentialState
from collector.rules.grammar.model import STATE, Group, Rule
from collector.rules.grammar.plain import plain_rule

FROM_GOLDENS, FROM_SUCCESS_RULE = "goldens", "success rule"


@dataclass(frozen=True, slots=True)
class StateSuggestion:
    """A state that could be added to a task."""

    id: str
    """The id that it gets; free in the project."""
    sentence: str
    conditions: Group
    source: str
    """FROM_GOLDENS or FROM_SUCCESS_RULE."""
    steps: Mapping[str, int]
    """By id of a golden trajectory the index of the step, from 0, whose screen reaches it first."""
    score: int
    """0 to 100; the list is ordered by it."""
    reason: str
    """Why it is suggested, in a sentence."""
    after: tuple[str, ...] = ()
    """Ids of suggestions, and of states the task has, that come before it in every golden trajectory; the
    nearest alone."""

    @property
    def rule(self) -> Rule:
        """The state as rules know it."""
        return Rule(
            id=self.id, kind=STATE, conditions=self.conditions, description=self.sentence, after=self.after
        )

    @property
    def plain_conditions(self) -> Any:
        """The conditions as plain values, as ``rules/states.yaml`` has them."""
        plain = plain_rule(self.rule)["conditions"]
        return {"all": plain} if isinstance(plain, list) else plain

    @property
    def state(self) -> EssentialState:
        """The state as its file keeps it."""
        return EssentialState(
            self.id, self.sentence, after=self.after, extra={"conditions": self.plain_conditions}
        )


@dataclass(frozen=True, slots=True)
class ComparedGolden:
    """A golden trajectory that suggestions are made from."""

    id: str
    who: str
    """Empty for a person who must not know yet."""
    title: str
    """Its name within its task, as in ``golden-2``."""


@dataclass(frozen=True, slots=True)
class StateSuggestions:
    """What is suggested for a task, best first."""

    task: str
    goldens: tuple[ComparedGolden, ...] = ()
    suggestions: tuple[StateSuggestion, ...] = ()
    missing: tuple[str, ...] = ()
    """What would allow more or better suggestions, a sentence each."""
    left_out: tuple[str, ...] = ()
    """What was not suggested although it might be expected, each with the reason."""

    def chosen(self, ids: Iterable[str]) -> list[StateSuggestion]:
        """Some of the suggestions, in the order in which the golden trajectories reach them.

        One that comes after a suggestion which is not chosen comes after those before it.
        """
        wanted = set(ids)
        by_id = {suggestion.id: suggestion for suggestion in self.suggestions}
        order = sorted(
            (suggestion for suggestion in self.suggestions if suggestion.id in wanted), key=in_step_order
        )
        return [
            replace(suggestion, after=tuple(_nearest_chosen(suggestion, by_id, wanted)))
            for suggestion in order
        ]


def in_step_order(suggestion: StateSuggestion) -> tuple[list[int], str]:
    """Sort suggestions by the steps that reach them; those without any come last."""
    return (list(suggestion.steps.values()) or [10**9], suggestion.id)


def _nearest_chosen(
    suggestion: StateSuggestion, by_id: Mapping[str, StateSuggestion], wanted: set[str]
) -> list[str]:
    nearest: dict[str, None] = {}
    seen: set[str] = set()
    waiting = list(suggestion.after)
    while waiting:
        before = waiting.pop(0)
        if before in seen:
            continue
        seen.add(before)
        if before in wanted or before not in by_id:  # a state that the task has already
            nearest[before] = None
        else:
            waiting += by_id[before].after
    # Through a suggestion that is left out one may come to what another way names already.
    further = {earlier for name in nearest for earlier in _all_before(name, by_id)}
    return [name for name in nearest if name not in further]


def _all_before(name: str, by_id: Mapping[str, StateSuggestion]) -> set[str]:
    before: set[str] = set()
    waiting = [name]
    while waiting:
        suggestion = by_id.get(waiting.pop())
        for earlier in suggestion.after if suggestion is not None else ():
            if earlier not in before:
                before.add(earlier)
                waiting.append(earlier)
    return before


def ordered_by_goldens(steps: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each entry the places of those right before it: reached earlier in every golden trajectory.

    ``steps`` has the step of each entry in each golden. An entry between two others is named alone.
    """
    before = [
        {
            place
            for place, other in enumerate(steps)
            if other and len(other) == len(own) and all(a < b for a, b in zip(other, own, strict=True))
        }
        for own in steps
    ]
    return [
        sorted(place for place in earlier if not any(place in before[between] for between in earlier))
        for earlier in before
    ]
