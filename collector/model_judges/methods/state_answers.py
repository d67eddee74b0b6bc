"""What a model said of the essential states of one trajectory, window by window, and which states count.

Order and alternatives count as for rules: a state counts once all states that it waits for were reached, at
the same screen or before, and an alternative that was reached counts for it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from collector.judge.windows import Window
from collector.model.i18n import _
from collector.model.verdicts.judgement import SUCCESS
from collector.rules.evaluation.task_states import replaced_by, states_waited_for
from collector.rules.grammar.model import Rule


@dataclass
class StateAnswers:
    """The answers so far. Steps are counted from 0."""

    states: Sequence[Rule]
    needed: Sequence[str] = ()
    """Ids of the states that the task needs."""
    in_order: bool = True
    """Whether ``after`` counts."""
    reached: dict[str, int] = field(default_factory=dict)
    """Id of each state that is reached, by its own answers or by an alternative -> the step."""
    decided: frozenset[str] = frozenset()
    """Ids of states that another judge decided; they are not asked."""
    doubts: dict[str, str] = field(default_factory=dict)
    """Id of each state -> why a window gave neither yes nor no."""
    asked: dict[str, int] = field(default_factory=dict)
    """Id of each state -> how many windows it was asked in."""
    unknown: set[str] = field(default_factory=set)
    """Ids of states that were counted and not asked: whether they are reached nobody knows."""
    _clear: dict[str, list[tuple[Window, int | None]]] = field(default_factory=dict)
    """Id of each state -> its windows with a yes, and the step, or with a no."""

    _confidences: dict[tuple[str, int | None], float] = field(default_factory=dict)
    """State, and the step of a yes -> confidence of the first one; None -> the least of those that say no."""

    def __post_init__(self) -> None:
        ids = {state.id for state in self.states}
        self._waits: Mapping[str, tuple[str, ...]] = (
            states_waited_for(self.states, ids) if self.in_order else {}
        )

    def note(
        self, state_id: str, window: Window, *, step: int | None, doubt: str = "",
        confidence: float | None = None,
    ) -> None:  # fmt: skip
        """Note an answer: reached at ``step``; else not reached, or not known because of ``doubt``."""
        self.asked[state_id] = self.asked.get(state_id, 0) + 1
        if doubt:
            self.doubts[state_id] = doubt
        else:
            self._clear.setdefault(state_id, []).append((window, step))
            if confidence is not None:
                known = self._confidences.get((state_id, step), confidence)
                self._confidences[state_id, step] = known if step is not None else min(known, confidence)

    def note_unknown(self, state_id: str) -> None:
        """Note that a question was counted and not asked: others may follow it, and it may follow itself."""
        self.unknown.add(state_id)

    def settle(self, is_to_ask: Callable[[], bool] = lambda: False) -> None:
        """Work out which states are reached now, the earliest first: others may be reached by them.

        Stops where a state ``is_to_ask`` first, since it waits for nothing any more: its own answer may name
        an earlier step than its alternative.
        """
        while steps := {
            state.id: step for state in self.states if (step := self._step_of(state)) is not None
        }:
            earliest = min(steps.values())
            self.reached |= {name: step for name, step in steps.items() if step == earliest}
            if is_to_ask():
                return

    def settle_anew(self) -> None:
        """Work out all steps again, by all answers: a later window may name an earlier step."""
        self.reached = {name: step for name, step in self.reached.items() if name in self.decided}
        self.settle()

    def _step_of(self, state: Rule) -> int | None:
        """The step at which an open state is reached, by itself or an alternative; None while it is not."""
        waits = self._waits.get(state.id, ())
        if (
            state.id in self.reached
            or state.id in self.decided
            or any(name not in self.reached for name in waits)
        ):
            return None
        ready = self._ready(state.id)
        own = (step for step in self._yes(state.id) if step >= ready)
        instead = (max(ready, self.reached[name]) for name in state.alternatives if name in self.reached)
        return min((*own, *instead), default=None)

    def alternative_of(self, state: Rule) -> str:
        """The alternative by which a state is reached; empty when it is reached by its own answers."""
        step = self.reached[state.id]
        if step in self._yes(state.id):
            return ""
        return next((name for name in state.alternatives if self.reached.get(name, step + 1) <= step), "")

    def replaced(self) -> set[str]:
        """Ids of the states not to ask: they are alternatives of a needed one that is reached.

        Those that another state waits for, or may still be reached by, are to be asked.
        """
        replaced = replaced_by(self.states, self.reached.keys() & {*self.needed}) - self.reached.keys()
        replaced -= {name for names in self._waits.values() for name in names}
        closed = {*replaced, *self.reached, *self.decided}
        left = (state.id for state in self.states if state.id not in closed)
        return replaced - replaced_by(self.states, left)

    def not_known(self) -> dict[str, str]:
        """Why it cannot be said whether a state is reached, by the id of the state.

        As by rules: it waits for nothing but gave no clear answer or has such an alternative, or all that it
        still waits for is such a state.
        """
        left = [
            state for state in self.states if state.id not in self.reached and state.id not in self.decided
        ]
        found: dict[str, str] = {}
        while more := {
            state.id: why for state in left if state.id not in found and (why := self._doubt_of(state, found))
        }:
            found |= more
        return found

    def _doubt_of(self, state: Rule, found: Mapping[str, str]) -> str:
        """Why nothing is known of a state, as far as it is known of others; empty when it is missed."""
        if missing := self.missing_before(state.id):
            if any(name not in found for name in missing):
                return ""
            return _("It waits for {states}", states=", ".join(missing))
        if state.id in self.doubts:
            return self.doubts[state.id]
        if self._is_seen_early(state.id):
            return _("It was seen before what it waits for, and may still have been there after it")
        others = [name for name in state.alternatives if name in found]
        return _("Not known whether reached: {states}", states=", ".join(others)) if others else ""

    def confidences(self) -> dict[str, float]:
        """Id of each state -> how sure it is that it was reached, or was missed, where a model says so.

        A state that was missed because it waits for others is as sure as the surest of those.
        """
        found: dict[str, float] = {}
        left = [state for state in self.states if state.id not in self.decided]
        while more := {
            state.id: value
            for state in left
            if state.id not in found and (value := self._confidence(state, found)) is not None
        }:
            found |= more
        return found

    def _confidence(self, state: Rule, found: Mapping[str, float]) -> float | None:
        if state.id in self.reached:
            other = self.alternative_of(state)
            return found.get(other) if other else self._confidences.get((state.id, self.reached[state.id]))
        if missing := self.missing_before(state.id):
            return max(found[name] for name in missing) if found.keys() >= set(missing) else None
        return self._confidences.get((state.id, None))

    def of_task(self, verdict: str) -> float | None:
        """How sure a verdict on the task is that follows from the states; None where no model says so."""
        known = self.confidences()
        if verdict == SUCCESS:
            return min((known[name] for name in self.needed if name in known), default=None)
        unknown = self.not_known()
        missed = [name for name in self.needed if name not in self.reached and name not in unknown]
        return max((known[name] for name in missed), default=None) if known.keys() >= set(missed) else None

    def _is_seen_early(self, state_id: str) -> bool:
        """Whether a window that shows what the state waits for shows the state on a screen before it alone.

        A model names the first screen. Unless it says no of the rest, the state may have lasted.
        """
        ready, answers = self._ready(state_id), self._clear.get(state_id, ())
        early = [window.last for window, step in answers if step is not None and step < ready <= window.last]
        denied = [window.last for window, step in answers if step is None and window.first <= ready]
        return bool(early) and max(early) > max(denied, default=-1)

    def _yes(self, state_id: str) -> list[int]:
        return [step for _window, step in self._clear.get(state_id, ()) if step is not None]

    def _ready(self, state_id: str) -> int:
        """The step at which all was reached that a state waits for; 0 when it waits for nothing."""
        return max((self.reached.get(name, 0) for name in self._waits.get(state_id, ())), default=0)

    def open(self, *, early_exit: bool, waiting: bool) -> list[Rule]:
        """The states to ask of the next window.

        With ``early_exit`` those that are not reached yet, nor are one of several alternatives of which one
        is reached, and unless ``waiting`` is set do not wait for another state. Else all.
        """
        if not early_exit:
            return [state for state in self.states if state.id not in self.decided]
        closed = {*self.reached, *self.replaced(), *self.decided}
        return [
            state
            for state in self.states
            if state.id not in closed and (waiting or not self.missing_before(state.id))
        ]

    def missing_before(self, state_id: str) -> list[str]:
        """The states that a state waits for and that are not reached."""
        waits = self._waits.get(state_id, ())
        return [name for name in waits if name not in self.reached and name not in self.unknown]
