"""What a model said of the essential states of one trajectory, window by window, and which states count.

Order and alternatives count as for rules: a state counts once all states that it waits for were reached, at
the same screen or before, and an alternative that was reached counts for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from collector.rules.evaluation.task_states import replaced_by, states_waited_for
from collector.rules.grammar.model import Rule


@dataclass
class StateAnswers:
    """The answers so far. Steps are counted from 0."""

    states: Sequence[Rule]
    in_order: bool = True
    """Whether ``after`` counts."""
    reached: dict[str, int] = field(default_factory=dict)
    """Id of each state that counts as reached by its own answers -> the step."""
    decided: frozenset[str] = frozenset()
    """Ids of states that another judge decided; they are not asked."""
    doubts: dict[str, str] = field(default_factory=dict)
    """Id of each state -> why its latest window gave neither yes nor no."""
    asked: dict[str, int] = field(default_factory=dict)
    """Id of each state -> how many windows it was asked in."""
    unknown: set[str] = field(default_factory=set)
    """Ids of states that were counted and not asked: whether they are reached nobody knows."""
    _yes: dict[str, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ids = {state.id for state in self.states}
        self._waits: Mapping[str, tuple[str, ...]] = (
            states_waited_for(self.states, ids) if self.in_order else {}
        )

    def note(self, state_id: str, *, step: int | None, doubt: str = "") -> None:
        """Note an answer: reached at ``step``; else not reached, or not known because of ``doubt``."""
        self.asked[state_id] = self.asked.get(state_id, 0) + 1
        if step is not None:
            self._yes.setdefault(state_id, []).append(step)
        elif doubt:
            self.doubts[state_id] = doubt

    def note_unknown(self, state_id: str) -> None:
        """Note that a question was counted and not asked: others may follow it, and it may follow itself."""
        self.unknown.add(state_id)

    def settle(self) -> None:
        """Work out which states count now."""
        changed = True
        while changed:
            changed, counting = False, self.counting()
            for state in self.states:
                steps = self._yes.get(state.id, ())
                if state.id in self.reached or state.id in self.decided or not steps:
                    continue
                waits = self._waits.get(state.id, ())
                if any(name not in counting for name in waits):
                    continue
                earliest = max((counting[name] for name in waits), default=0)
                found = [step for step in steps if step >= earliest]
                if found:
                    self.reached[state.id] = min(found)
                    changed = True

    def counting(self) -> dict[str, int]:
        """Id of each state that counts as reached, also by an alternative -> the step."""
        counting = dict(self.reached)
        changed = True
        while changed:
            changed = False
            for state in self.states:
                steps = [counting[name] for name in state.alternatives if name in counting]
                if steps and state.id not in counting:
                    counting[state.id] = min(steps)
                    changed = True
        return counting

    def open(self, *, early_exit: bool, waiting: bool) -> list[Rule]:
        """The states to ask of the next window.

        With ``early_exit`` those that do not count yet, nor are replaced by an alternative, and unless
        ``waiting`` is set do not wait for another state. Else all.
        """
        if not early_exit:
            return [state for state in self.states if state.id not in self.decided]
        counting = self.counting()
        closed = {*counting, *replaced_by(self.states, counting), *self.decided}
        return [
            state
            for state in self.states
            if state.id not in closed and (waiting or not self.missing_before(state.id, counting))
        ]

    def missing_before(self, state_id: str, counting: Mapping[str, int] | None = None) -> list[str]:
        """The states that a state waits for and that do not count."""
        known = self.counting() if counting is None else counting
        waits = self._waits.get(state_id, ())
        return [name for name in waits if name not in known and name not in self.unknown]
